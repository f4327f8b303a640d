// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.backing.slow.SlowStore;
import java.util.Locale;

/** The destination of bundles. */
public enum Geos5Store {
  /** The page cache, as slow as the slow profile. */
  SLOW(SlowStore.LABEL),
  /** A directory of this machine. */
  DIRECTORY("files in the directory of --dir"),
  /** A directory in memory. */
  MEMORY("files in memory"),
  /** An instance: a step is written when the ring has it. */
  RING("an instance on a ring of two servers, one copy");

  private final String label;

  Geos5Store(String label) {
    this.label = label;
  }

  /** Its description, for people. */
  public String label() {
    return label;
  }

  /** As people write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether programs other than ours can write there, as fast as ours. */
  boolean isPlain() {
    return this == DIRECTORY || this == MEMORY;
  }
}
