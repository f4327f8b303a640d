// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import org.jspecify.annotations.Nullable;

/**
 * The records that share a segment. Streams are separate because their records die at different
 * times. Each stream may use free segments that are barred to the one before, so that a full buffer
 * can still write the marks that empty it.
 */
public enum Stream {
  /** The writes of clients. */
  INGEST(1),
  /** Journal entries, tombstones and clean marks. */
  JOURNAL(2),
  /** Records moved out of segments that are to be freed. */
  RELOCATION(3);

  private final int code;

  Stream(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static @Nullable Stream of(int code) {
    for (Stream stream : values()) {
      if (stream.code == code) return stream;
    }
    return null;
  }
}
