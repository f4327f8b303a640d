// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

import java.util.List;

/** Keys as a table for the documentation. */
public final class KeyTable {
  private KeyTable() {}

  /** A Markdown table: a line per key, with its default, allowed values, and meaning. */
  public static String markdown(List<Key<?>> keys) {
    StringBuilder out = new StringBuilder();
    out.append("| key | default | allowed | meaning |\n|---|---|---|---|\n");
    for (Key<?> key : keys) {
      String standard = key.standard();
      out.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  key.name(),
                  standard == null ? key.otherwise() : "`" + standard + "`",
                  key.kind().allowed(),
                  key.meaning()));
    }
    return out.toString();
  }
}
