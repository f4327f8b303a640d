// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import java.util.Locale;

/** The place of our logs. */
public enum LogPlace {
  /** A directory in memory, as fast storage of the node. */
  LOCAL,
  /** An instance whose ranks share one tree. */
  SHARED,
  /** An instance in which each node has a tree of its own. */
  PRIVATE;

  /** As people write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As it stands in the names of results; nothing for the usual one. */
  String text() {
    return this == LOCAL ? "" : word() + " instance";
  }
}
