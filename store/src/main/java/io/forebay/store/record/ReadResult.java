// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;

/** The results of a read. */
public sealed interface ReadResult {
  /**
   * The bytes; the receiver closes the slice. Verified when they come from the SSD, and from memory
   * if the store is configured so.
   *
   * @param fileOffset where the record stands in its file, as its writer said
   */
  record Bytes(Slice slice, long fileOffset) implements ReadResult {}

  /** No such record here, or it is shorter. */
  record Absent() implements ReadResult {}

  /** The bytes do not match their checksums. */
  record Damaged(RecordId record, FileId file, long segment) implements ReadResult {}

  /** The device did not give them. */
  record Failed(String detail) implements ReadResult {}

  /** All read buffers are in use: close slices, or retry later. */
  record Busy() implements ReadResult {}

  /** Receives the result once, maybe before the call that asked for it returns. */
  interface Receiver {
    void received(ReadResult result);
  }
}
