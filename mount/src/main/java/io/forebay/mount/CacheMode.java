// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import java.util.Locale;

/** How much the kernel may cache of a mount. */
public enum CacheMode {
  /** Nothing: every read and write comes to us. No shared writable mmap. */
  NONE(0),
  /** Pages and attributes, for a short time; writes come to us at once. */
  AUTO(1),
  /** Also writes, which arrive later and larger; until then the kernel's sizes and times apply. */
  WRITEBACK(1);

  private final double seconds;

  CacheMode(double seconds) {
    this.seconds = seconds;
  }

  /** How long names and attributes are cached. */
  double seconds() {
    return seconds;
  }

  /** As people write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of that name, or a sentence. */
  public static CacheMode parse(String text) {
    for (CacheMode mode : values()) if (mode.text().equals(text)) return mode;
    throw new IllegalArgumentException(
        "'" + text + "' is no way to cache; write none, auto or writeback");
  }
}
