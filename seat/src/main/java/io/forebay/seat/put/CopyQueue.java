// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Loop;
import io.forebay.seat.peer.Peers;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake.Lane;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of this seat's log that are to be sent to one other seat, oldest first. Only a few are
 * read at a time, from few segments: a record that is read holds its segment in memory until it is
 * sent, and seats that wait for each other's memory all around the ring would wait forever.
 */
public final class CopyQueue {
  /** Enough to keep a socket busy. */
  private static final long UNDER_WAY_BYTES_MAX = 8L * 1024 * 1024;

  /** Beyond this, copies are not requested... */
  private static final long WAITING_BYTES_MAX = 64L * 1024 * 1024;

  /** ...and what still comes is forgotten; the home sends it along again. */
  private static final int WAITING_MAX = 100_000;

  /**
   * A record to send, in an epoch of its group.
   *
   * @param checksums its writer's, or null for those in the log
   */
  public record Copy(
      GroupId group,
      long epoch,
      RecordHeader record,
      boolean forced,
      @Nullable Checksums checksums) {
    private boolean sameAs(Copy other) {
      return epoch == other.epoch && group.equals(other.group);
    }
  }

  private final Store store;
  private final Loop loop;
  private final Peers peers;
  private final HeldSegments heldSegments;
  private final SeatId to;
  private final LinkedHashMap<RecordId, Copy> waiting = new LinkedHashMap<>();
  private final Map<RecordId, Copy> underWay = new HashMap<>();
  private long waitingBytes;
  private long underWayBytes;

  CopyQueue(Basics basics, Peers peers, HeldSegments heldSegments, SeatId to) {
    this.store = basics.store();
    this.loop = basics.loop();
    this.peers = peers;
    this.heldSegments = heldSegments;
    this.to = to;
  }

  SeatId to() {
    return to;
  }

  /** Whether writers should wait before they bring more. */
  public boolean full() {
    return waitingBytes + underWayBytes > WAITING_BYTES_MAX || waiting.size() >= WAITING_MAX;
  }

  int records() {
    return waiting.size() + underWay.size();
  }

  long bytes() {
    return waitingBytes + underWayBytes;
  }

  /** Whether nothing waits, so that low-priority records may be added. */
  public boolean idle() {
    return waiting.isEmpty();
  }

  /** Sends the record when its turn comes; one that waits already is not sent twice. */
  public void add(Copy copy) {
    RecordId id = copy.record.id();
    Copy sent = underWay.get(id);
    if (sent != null && sent.sameAs(copy)) return;
    if (waiting.isEmpty() && mayRead(copy)) {
      read(copy);
      return;
    }
    if (waiting.size() >= WAITING_MAX) return;
    Copy before = waiting.put(id, copy);
    if (before == null) waitingBytes += copy.record.payloadBytes();
  }

  /** Goes on as far as it may; after every round of the loop. */
  void poll() {
    if (waiting.isEmpty()) return;
    Iterator<Copy> next = waiting.values().iterator();
    while (next.hasNext()) {
      Copy copy = next.next();
      if (!mayRead(copy)) return;
      next.remove();
      waitingBytes -= copy.record.payloadBytes();
      // A copy of another epoch may be on its way still: this one counts.
      read(copy);
    }
  }

  private boolean mayRead(Copy copy) {
    boolean fits =
        underWayBytes == 0 || underWayBytes + copy.record.payloadBytes() <= UNDER_WAY_BYTES_MAX;
    return fits && peers.reachable(to, Lane.INGEST);
  }

  private void read(Copy copy) {
    RecordHeader record = copy.record;
    underWay.put(record.id(), copy);
    underWayBytes += record.payloadBytes();
    store.read(record.id(), 0, record.payloadBytes(), result -> send(copy, result));
  }

  private void send(Copy copy, ReadResult result) {
    RecordHeader record = copy.record;
    if (!(result instanceof ReadResult.Bytes bytes)) {
      // Deleted, damaged, or too much is being read: the home sends it along again if it must.
      over(copy);
      return;
    }
    Data.Replicate message =
        new Data.Replicate(
            copy.group,
            copy.epoch,
            record.id(),
            record.file(),
            bytes.fileOffset(),
            copy.forced,
            checksums(copy, bytes.slice()));
    peers.send(to, Lane.INGEST, 0, message, payload(copy, bytes.slice()));
  }

  /** The stored checksums, so that the receiver verifies what the writer sent. */
  private Checksums checksums(Copy copy, Slice slice) {
    if (copy.checksums != null) return copy.checksums;
    RecordHeader record = copy.record;
    int blocks = BlockChecksums.count(record.payloadBytes());
    int[] stored = store.checksums(record.id(), 0, blocks);
    // Bytes from the SSD were verified when they were read.
    return Checksums.of(stored != null ? stored : BlockChecksums.of(slice.bytes()));
  }

  private Payload payload(Copy copy, Slice slice) {
    int segment = slice.segment();
    boolean held = segment != Slice.NONE && heldSegments.hold(segment);
    if (held || segment == Slice.NONE) {
      return Payload.of(
          slice.bytes(),
          () -> {
            slice.close();
            if (held) heldSegments.letGo(segment);
            over(copy);
          });
    }
    // A copy, since the segment must be able to leave the memory: the peer may wait for it.
    ByteBuffer bytes = ByteBuffer.allocate(slice.bytes().remaining()).put(slice.bytes()).flip();
    slice.close();
    return Payload.of(bytes, () -> over(copy));
  }

  private void over(Copy copy) {
    underWay.remove(copy.record.id(), copy);
    underWayBytes -= copy.record.payloadBytes();
    if (!waiting.isEmpty()) loop.wake();
  }
}
