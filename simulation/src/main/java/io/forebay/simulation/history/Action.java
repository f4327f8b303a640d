// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import io.forebay.base.FileId;

/** The request of a client. */
public sealed interface Action {
  /** Something done to a file. */
  sealed interface OnFile extends Action {
    FileId file();
  }

  /** Something done to a key-value pair. */
  sealed interface OnPair extends Action {
    String key();
  }

  /**
   * Writes unique bytes: see {@link Stamp}. Done means acknowledged.
   *
   * @param value identifies these bytes; no other write and no pair has it
   * @param recordBytes the client begins another record at each multiple of this: each record of an
   *     unacknowledged write is whole or absent
   */
  record Write(FileId file, long offset, long lengthBytes, long value, long recordBytes)
      implements OnFile {
    public Write {
      if (offset < 0 || lengthBytes < 1 || value < 1 || recordBytes < 1) {
        throw new IllegalArgumentException(
            "value " + value + ": " + lengthBytes + " bytes at " + offset);
      }
    }

    /** A write in one record. */
    public Write(FileId file, long offset, long lengthBytes, long value) {
      this(file, offset, lengthBytes, value, Long.MAX_VALUE);
    }

    public long endOffset() {
      return offset + lengthBytes;
    }
  }

  /** Publishes all that the client has written to the file and not published yet. */
  record Publish(FileId file) implements OnFile {}

  /** The same; the client drops what it could not publish. */
  record Close(FileId file) implements OnFile {}

  /** Publishes first, then sets the length of the file. */
  record Truncate(FileId file, long sizeBytes) implements OnFile {
    public Truncate {
      if (sizeBytes < 0) throw new IllegalArgumentException("to " + sizeBytes + " bytes");
    }
  }

  /** Publishes first, then makes a hole of a range. */
  record Punch(FileId file, long offset, long lengthBytes) implements OnFile {
    public Punch {
      if (offset < 0 || lengthBytes < 1) {
        throw new IllegalArgumentException(lengthBytes + " bytes at " + offset);
      }
    }

    public long endOffset() {
      return offset + lengthBytes;
    }
  }

  /** Reads a range; ends with {@link Ending.Saw}. */
  record Read(FileId file, long offset, long lengthBytes) implements OnFile {
    public Read {
      if (offset < 0 || lengthBytes < 1) {
        throw new IllegalArgumentException(lengthBytes + " bytes at " + offset);
      }
    }
  }

  /**
   * Puts a value, whole or not at all.
   *
   * @param value names its bytes; no other pair and no write has it
   */
  record PutPair(String key, long value, long sizeBytes) implements OnPair {
    public PutPair {
      if (value < 1 || sizeBytes < 0) {
        throw new IllegalArgumentException("value " + value + " of " + sizeBytes + " bytes");
      }
    }
  }

  /** Gets a value; ends with {@link Ending.Saw} or {@link Ending.NotThere}. */
  record GetPair(String key) implements OnPair {}

  /** Removes a pair; done if there was one, else {@link Ending.NotThere}. */
  record DeletePair(String key) implements OnPair {}

  /**
   * The client's session ends, because the client ends it or has died. After that, none of its
   * earlier requests can take effect.
   */
  record EndSession() implements Action {}
}
