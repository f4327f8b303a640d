// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Level;
import java.nio.ByteBuffer;

/**
 * Room for one record's payload inside a segment, to be filled by its holder and then committed or
 * abandoned. It has no effect until it is committed.
 */
public final class Reservation {
  public final Segment segment;
  public final int entry;
  final int position;
  public final RecordHeader header;
  public final Level level;
  boolean open = true;

  /** A tombstone has named the record since room was reserved for it. */
  public boolean killed;

  Reservation(Segment segment, int entry, int position, RecordHeader header, Level level) {
    this.segment = segment;
    this.entry = entry;
    this.position = position;
    this.header = header;
    this.level = level;
  }

  public RecordHeader header() {
    return header;
  }

  /** The required safety of the record. */
  public Level level() {
    return level;
  }

  /** The payload's place: a view of the segment's own bytes. */
  public ByteBuffer payload() {
    if (!open) throw new IllegalStateException("reservation of " + header.id() + " has ended");
    return segment.bytes().slice(position + header.payloadOffset(), header.payloadBytes());
  }
}
