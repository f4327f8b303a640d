// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.base.BlockChecksums;
import io.forebay.base.rule.Rule;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Stream;
import io.forebay.store.record.Level;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to the open segment of their stream: reserved first, filled in place, committed.
 */
public final class Appender {
  /** The result of a request for room in a stream: exactly one of the two is set. */
  public record Attempt(@Nullable Reservation reservation, Reserve.@Nullable Reason full) {
    /** Why there is no room, if there is none. */
    public Reserve.Reason reason() {
      if (full == null) throw new IllegalStateException("neither reserved nor full");
      return full;
    }
  }

  private final SlotReserve room;
  private final RecordCodec codec = new RecordCodec();
  private final EnumMap<Stream, Segment> active = new EnumMap<>(Stream.class);
  private final Set<Reservation> open = new LinkedHashSet<>();

  public Appender(SlotReserve room) {
    this.room = room;
  }

  /** Reserves room; with level FORCED also makes sure that it can be forced. */
  public Attempt reserve(Stream stream, RecordHeader record, Level level) {
    int bytes = record.recordBytes();
    Segment segment = segmentWithRoom(stream, bytes);
    // A journal entry may be what frees room: in need it goes where moved records go.
    if (segment == null && stream == Stream.JOURNAL) {
      segment = segmentWithRoom(Stream.RELOCATION, bytes);
    }
    if (segment == null) return new Attempt(null, room.shortage(stream));
    if (level == Level.FORCED && !room.giveFile(segment)) {
      return new Attempt(null, room.shortage(stream));
    }
    int position = segment.tail;
    codec.reserve(segment.bytes(), position, segment.header.generation(), record);
    int entry = segment.table.add(record, position, RecordTable.State.OPEN);
    segment.holds(entry, true);
    segment.tail += bytes;
    segment.openReservations++;
    Reservation reservation = new Reservation(segment, entry, position, record, level);
    open.add(reservation);
    return new Attempt(reservation, null);
  }

  private @Nullable Segment segmentWithRoom(Stream stream, int bytes) {
    Segment segment = active.get(stream);
    if (segment != null
        && segment.state == Segment.State.OPEN
        && segment.tail + bytes <= segment.header.segmentBytes()) {
      return segment;
    }
    // Sealed even if no other can be opened: only a sealed segment can be emptied and freed.
    if (segment != null) seal(segment);
    Segment opened = room.open(stream);
    if (opened != null) active.put(stream, opened);
    return opened;
  }

  /**
   * Completes a reservation if its payload matches the checksums; without checksums it is taken as
   * it is. Says whether it did; if not, the reservation is void.
   */
  public boolean fill(
      Reservation reservation, int @Nullable [] checksums, RecordTable.State state) {
    ByteBuffer payload = reservation.payload();
    if (checksums == null) {
      checksums = BlockChecksums.of(payload);
    } else if (!isSound(payload, checksums)) {
      abandon(reservation);
      return false;
    }
    fillVerified(reservation, checksums, state);
    return true;
  }

  /** A record is verified in place before it is indexed or confirmed (P19). */
  @Rule("P19")
  private static boolean isSound(ByteBuffer payload, int[] checksums) {
    return BlockChecksums.firstMismatch(payload, checksums) < 0;
  }

  /** Completes a reservation whose payload was copied from a verified record. */
  public void fillVerified(Reservation reservation, int[] checksums, RecordTable.State state) {
    codec.fill(reservation.segment.bytes(), reservation.position, checksums);
    end(reservation, state);
  }

  public void abandon(Reservation reservation) {
    end(reservation, RecordTable.State.VOID);
  }

  /** Checksums of a record in a segment that has an image, from a block on. */
  public int[] checksums(Segment segment, int entry, int firstBlock, int blocks) {
    int blocksMax = BlockChecksums.count(segment.table.payloadBytes(entry));
    if (firstBlock < 0 || blocks < 0 || firstBlock > blocksMax - blocks) {
      throw new IllegalArgumentException(
          "blocks " + firstBlock + "+" + blocks + " of a record of " + blocksMax);
    }
    return codec.table(segment.bytes(), segment.table.position(entry), firstBlock, blocks);
  }

  /** Takes no further record into the segment. */
  public void seal(Segment segment) {
    if (segment.state != Segment.State.OPEN) return;
    segment.state = Segment.State.SEALED;
    segment.table.trim();
    segment.noteSeal();
    active.remove(segment.header.stream(), segment);
  }

  /** Reservations that have not ended, the oldest first. */
  public Collection<Reservation> open() {
    return open;
  }

  /** The segment a stream writes to, if one is open. */
  public @Nullable Segment active(Stream stream) {
    return active.get(stream);
  }

  private void end(Reservation reservation, RecordTable.State state) {
    if (!reservation.open) {
      throw new IllegalStateException("reservation of " + reservation.header.id() + " ended twice");
    }
    reservation.open = false;
    open.remove(reservation);
    Segment segment = reservation.segment;
    segment.openReservations--;
    segment.change(reservation.entry, state);
    if (segment.sealedAndFilled()) segment.noteSeal();
  }
}
