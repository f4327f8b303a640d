// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;

/**
 * The header of a record; {@link RecordLayout} defines its bytes.
 *
 * @param group the group of a data record; 0 for others
 */
public record RecordHeader(
    RecordType type, RecordId id, FileId file, long offset, int group, int payloadBytes) {
  public RecordHeader {
    if (payloadBytes < 0)
      throw new IllegalArgumentException("payload of " + payloadBytes + " bytes");
  }

  public static RecordHeader data(RecordId id, FileId file, long offset, int payloadBytes) {
    return data(id, file, offset, 0, payloadBytes);
  }

  public static RecordHeader data(
      RecordId id, FileId file, long offset, int group, int payloadBytes) {
    return new RecordHeader(RecordType.DATA, id, file, offset, group, payloadBytes);
  }

  public int recordBytes() {
    return Math.toIntExact(RecordLayout.recordBytes(payloadBytes));
  }

  public int payloadOffset() {
    return RecordLayout.payloadOffset(payloadBytes);
  }
}
