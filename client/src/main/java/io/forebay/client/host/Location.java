// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import java.util.List;

/**
 * Where a run of a file's bytes is.
 *
 * @param hosts the names of the machines that have it, the preferred one first; none for a hole
 */
public record Location(long offset, long lengthBytes, List<String> hosts) {
  public Location {
    hosts = List.copyOf(hosts);
  }
}
