// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.Timers;
import io.forebay.seat.audit.RefusalAudit;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Callers;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.SeatLatencies;
import io.forebay.seat.part.Self;
import io.forebay.seat.right.RecordRights;
import io.forebay.store.Store;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Answers reads of records: the bytes go directly from the log to the socket, with their stored
 * checksums. Needs no lease, since a record never changes.
 */
public final class Reads {
  /** The bytes queued for one reader, beyond which no further request of that reader is taken. */
  private static final long QUEUED_BYTES_MAX = Limit.UNREAD_RECORDS.value();

  private final RecordRights recordRights;
  private final Self seat;
  private final Callers callers;
  private final Groups groups;
  private final Store store;
  private final Timers timers;
  private final SeatCounters counters;
  private final RefusalAudit audit;
  private final Set<Connection> stopped = new LinkedHashSet<>();

  public Reads(Basics basics, RecordRights recordRights, Callers callers) {
    this.recordRights = recordRights;
    this.callers = callers;
    this.seat = basics.self();
    this.groups = basics.groups();
    this.store = basics.store();
    this.timers = basics.timers();
    this.counters = basics.counters();
    this.audit = new RefusalAudit(basics.events(), basics.maps()::instance);
  }

  public void get(Connection connection, long request, Data.Get message) {
    FileId file = store.file(message.record());
    if (file == null && !groups.isMember(message.group())) {
      // This seat may be a former member that has dropped the group's records.
      connection.send(0, callers.mapFor(connection, 0));
      refuse(connection, request, ErrorCode.NOT_HOME, seat.id() + " is not in " + message.group());
      return;
    }
    if (file == null || file.instance() != message.instance()) {
      refuse(connection, request, ErrorCode.GONE, "record " + message.record() + " is not here");
      return;
    }
    int end = store.payloadBytes(message.record());
    boolean inside =
        message.recordOffset() >= 0
            && message.lengthBytes() >= 0
            && message.recordOffset() <= end - message.lengthBytes();
    if (!inside) {
      refuse(connection, request, ErrorCode.INVALID, "record " + message.record() + " is shorter");
      return;
    }
    if (callers.isSeat(connection)) {
      read(connection, request, message);
    } else {
      recordRights.mayGet(
          message.record(),
          file,
          message.proof(),
          verdict -> decided(connection, request, message, verdict));
    }
  }

  private void decided(
      Connection connection, long request, Data.Get message, RecordRights.Verdict verdict) {
    switch (verdict) {
      case ALLOWED -> read(connection, request, message);
      case DENIED -> {
        String detail = "record " + message.record() + " is of a file that is not open for reading";
        Replies.Failed denied = new Replies.Failed(ErrorCode.ACCESS_DENIED, detail);
        audit.refused(connection, message, denied, callers.capabilityFor(connection, message));
        connection.send(request, denied);
      }
      case NOT_NOW ->
          refuse(
              connection,
              request,
              ErrorCode.UNAVAILABLE,
              seat.id() + " cannot ask who may read record " + message.record());
    }
  }

  private void read(Connection connection, long request, Data.Get message) {
    long startNanos = timers.nanos();
    store.read(
        message.record(),
        message.recordOffset(),
        message.lengthBytes(),
        result -> {
          answer(connection, request, message, result);
          counters.latencies().add(SeatLatencies.Operation.READ, timers.nanos() - startNanos);
        });
  }

  private void answer(Connection connection, long request, Data.Get message, ReadResult result) {
    RecordId record = message.record();
    switch (result) {
      case ReadResult.Bytes bytes -> {
        counters.got(message.instance(), message.lengthBytes());
        Slice slice = bytes.slice();
        connection.send(
            request,
            new Data.Got(checksums(message, slice)),
            Payload.of(slice.bytes(), slice::close));
        maybeStop(connection);
      }
      case ReadResult.Absent absent ->
          refuse(connection, request, ErrorCode.GONE, "record " + record + " is not here");
      case ReadResult.Damaged damaged ->
          refuse(connection, request, ErrorCode.CORRUPT, "record " + record + " is damaged here");
      case ReadResult.Failed failed ->
          refuse(connection, request, ErrorCode.FAILED, failed.detail());
      case ReadResult.Busy busy ->
          refuse(connection, request, ErrorCode.BUSY, "too many reads from SSD are under way");
    }
  }

  /**
   * Those the record was stored with, where the piece consists of whole blocks. Else they are
   * computed: the log has verified the piece.
   */
  private Checksums checksums(Data.Get message, Slice slice) {
    int start = message.recordOffset();
    int length = message.lengthBytes();
    int payloadBytes = store.payloadBytes(message.record());
    if (BlockChecksums.areWhole(start, length, payloadBytes)) {
      int[] stored =
          store.checksums(
              message.record(), start / BlockChecksums.BLOCK_BYTES, BlockChecksums.count(length));
      if (stored != null) return Checksums.of(stored);
    }
    return Checksums.of(BlockChecksums.of(slice.bytes()));
  }

  private void maybeStop(Connection connection) {
    if (connection.queuedBytes() > QUEUED_BYTES_MAX && stopped.add(connection)) {
      counters.limits().reached(Limit.UNREAD_RECORDS);
      connection.stop();
    }
  }

  /** Takes requests again from readers that have caught up. */
  public void poll() {
    if (stopped.isEmpty()) return;
    for (Connection connection : new ArrayList<>(stopped)) {
      if (connection.queuedBytes() > QUEUED_BYTES_MAX / 2) continue;
      stopped.remove(connection);
      connection.start();
    }
  }

  public void closed(Connection connection) {
    stopped.remove(connection);
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }
}
