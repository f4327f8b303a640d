// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import java.util.List;

/**
 * Some of the names in a directory, in order.
 *
 * @param more whether there are others behind the last of these
 */
public record NodePage(List<DirectoryEntry> entries, boolean more) {
  public NodePage {
    entries = List.copyOf(entries);
  }
}
