// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import org.jspecify.annotations.Nullable;

/** The type of a record. The code is written to the log and never changes its meaning. */
public enum RecordType {
  /** Bytes of a file. */
  DATA(1),
  /** An entry of one of the seat's journals; its id is (epoch, index). */
  JOURNAL(2),
  /** Names records that count no longer; see {@link Mark}. */
  TOMBSTONE(3),
  /** Names records whose drained copy is verified: they may be evicted; see {@link Mark}. */
  CLEAN(4);

  private static final RecordType[] BY_CODE = new RecordType[CLEAN.code + 1];

  static {
    for (RecordType type : values()) BY_CODE[type.code] = type;
  }

  private final int code;

  RecordType(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** The type with that code, or null when this version knows none. */
  public static @Nullable RecordType of(int code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }
}
