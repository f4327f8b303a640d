// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.backing.slow.SlowStore;
import java.util.Arrays;
import java.util.Locale;

/** The final destination of files. */
public enum Store {
  /** The page cache. */
  FAST("page cache"),
  /** The same as slow as the slow profile. */
  SLOW(SlowStore.LABEL),
  /** A device of its own, which files are forced to. */
  DEVICE("a loop device");

  private final String label;

  Store(String label) {
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

  static Store of(String word) {
    return Arrays.stream(values())
        .filter(each -> each.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no store '" + word + "'"));
  }
}
