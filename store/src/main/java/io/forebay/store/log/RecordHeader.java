package io.forebay.store.log;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;

/**
 * What a record says of itself before its payload; {@link RecordLayout} tells how it is written.
 */
public record RecordHeader(
    RecordType type, RecordId id, FileId file, long offset, int payloadBytes) {
  public RecordHeader {
    if (payloadBytes < 0)
      throw new IllegalArgumentException("payload of " + payloadBytes + " bytes");
  }

  public static RecordHeader data(RecordId id, FileId file, long offset, int payloadBytes) {
    return new RecordHeader(RecordType.DATA, id, file, offset, payloadBytes);
  }

  public int recordBytes() {
    return Math.toIntExact(RecordLayout.recordBytes(payloadBytes));
  }

  public int payloadOffset() {
    return RecordLayout.payloadOffset(payloadBytes);
  }
}
