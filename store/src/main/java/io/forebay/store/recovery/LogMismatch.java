// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import io.forebay.base.ByteSize;
import io.forebay.store.log.LogId;
import io.forebay.store.log.SegmentHeader;

/** A log that this program must not touch: a foreign one, or a later version's. */
public final class LogMismatch extends Exception {
  private static final long serialVersionUID = 1;

  public LogMismatch(String sentence) {
    super(sentence);
  }

  static LogMismatch newer(String slot, int version) {
    return new LogMismatch(
        "%s was written by a newer version of Forebay (log version %d, this one reads up to %d); use that version"
            .formatted(slot, version, SegmentHeader.VERSION));
  }

  static LogMismatch foreign(String slot, LogId found, LogId expected) {
    return new LogMismatch(
        "%s belongs to log %s, not to %s; move it out of the directory"
            .formatted(slot, found, expected));
  }

  static LogMismatch segmentBytes(String slot, int found, int expected) {
    return new LogMismatch(
        "%s has segments of %s, but the log is opened with %s; open it with the size it was made with"
            .formatted(slot, ByteSize.format(found), ByteSize.format(expected)));
  }
}
