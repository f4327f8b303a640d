// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes the payload of a record from the network directly into the log. */
public final class Intake {
  /** The result of taking a record. */
  public interface Outcome {
    /** It is in the log, verified, and can be read and sent on. */
    void committed();

    /** It has reached the requested level. */
    void reached();

    void failed(ErrorCode code, String detail);
  }

  /**
   * The share of the seat's memory that arriving payloads of clients may take: even with slow
   * clients, the rest is available for copies of other seats and for complete records.
   */
  private static final int RESERVED_PARTS = 4;

  private final Store store;
  private final Holds holds;
  private final Supplier<String> remedy;
  private final ArrivingPayloads arriving;
  private final long reservedBytesMax;
  private long reservedBytes;
  private String pressure = "";
  private boolean full;

  /**
   * Takes records into a store.
   *
   * @param remedy what people do about a full one
   * @param counts counts slow payloads
   */
  public Intake(Store store, Holds holds, Supplier<String> remedy, LimitCounts counts) {
    this.store = store;
    this.holds = holds;
    this.remedy = remedy;
    this.arriving = new ArrivingPayloads(holds::nanos, counts);
    long part = store.config().memoryBytes() / RESERVED_PARTS;
    this.reservedBytesMax = Math.max(part, 2L * store.config().payloadBytesMax());
  }

  /** Why writers have to wait, or an empty text. */
  public String pressure() {
    return holds.count() == 0 ? "" : pressure;
  }

  /** Whether writers have to wait until data is deleted or drained, and not only for a moment. */
  public boolean isFull() {
    return holds.count() > 0 && full;
  }

  /** The payload's destination; the outcome may be reported before this returns. */
  public Landing land(
      Connection connection,
      RecordHeader record,
      boolean forced,
      Checksums checksums,
      Outcome out) {
    String malformed = malformed(record, forced, checksums);
    if (malformed != null) {
      out.failed(ErrorCode.MALFORMED, malformed);
      return holds.over(connection, Landing.DISCARD);
    }
    Level level = forced ? Level.FORCED : Level.KEPT;
    boolean clients = connection.hello().role() == Handshake.Role.CLIENT;
    if (clients && reservedBytes + record.payloadBytes() > reservedBytesMax) {
      pressure = "too many payloads are on their way to this seat";
      full = false;
      arriving.makeRoom();
      if (!holds.exhausted(connection)) return Landing.HOLD;
      out.failed(ErrorCode.BUSY, pressure);
      return Landing.DISCARD;
    }
    return switch (store.reserve(record, level)) {
      case Reserve.Reserved reserved ->
          holds.over(
              connection,
              clients
                  ? fromClient(connection, reserved.reservation(), checksums, out)
                  : into(reserved.reservation(), checksums, out));
      case Reserve.Duplicate duplicate -> {
        settleDuplicate(record, level, checksums, out);
        yield holds.over(connection, Landing.DISCARD);
      }
      case Reserve.Dead dead -> {
        out.failed(ErrorCode.GONE, "record " + record.id() + " was deleted");
        yield holds.over(connection, Landing.DISCARD);
      }
      case Reserve.Full refused -> {
        pressure = reasonOf(refused.reason());
        full = isFull(refused.reason());
        if (!holds.exhausted(connection)) yield Landing.HOLD;
        out.failed(full ? ErrorCode.NO_SPACE : ErrorCode.BUSY, pressure);
        yield Landing.DISCARD;
      }
    };
  }

  private @Nullable String malformed(RecordHeader record, boolean forced, Checksums checksums) {
    int bytes = record.payloadBytes();
    if (bytes > store.config().payloadBytesMax()) {
      return "a record of " + bytes + " bytes; at most " + store.config().payloadBytesMax();
    }
    if (checksums.count() != BlockChecksums.count(bytes)) {
      return checksums.count() + " checksums for a record of " + bytes + " bytes";
    }
    if (forced && !store.config().hasSsd()) return "this seat has no SSD to force records to";
    return null;
  }

  /** The same for a client, whose payload counts until it is here. */
  private Landing fromClient(
      Connection connection, Reservation reservation, Checksums checksums, Outcome out) {
    int countedBytes = reservation.header().payloadBytes();
    reservedBytes += countedBytes;
    ArrivingPayloads.Arriving counted = arriving.begin(connection);
    Landing.Into plain = into(reservation, checksums, out);
    Landing.Arrival arrival =
        new Landing.Arrival() {
          @Override
          public void filled() {
            over();
            plain.arrival().filled();
          }

          @Override
          public void aborted() {
            over();
            plain.arrival().aborted();
          }

          private void over() {
            reservedBytes -= countedBytes;
            arriving.end(counted);
          }
        };
    return new Landing.Into(plain.target(), arrival);
  }

  private Landing.Into into(Reservation reservation, Checksums checksums, Outcome out) {
    Landing.Arrival arrival =
        new Landing.Arrival() {
          @Override
          public void filled() {
            commit(reservation, checksums, out);
          }

          @Override
          public void aborted() {
            store.abandon(reservation);
          }
        };
    return new Landing.Into(reservation.payload(), arrival);
  }

  private void commit(Reservation reservation, Checksums checksums, Outcome out) {
    Waiter waiter = answer -> answered(answer, out);
    Commit commit = store.commit(reservation, checksums.toArray(), waiter);
    switch (commit) {
      case DONE -> {
        out.committed();
        out.reached();
      }
      case PENDING -> out.committed();
      case DUPLICATE -> settleDuplicate(reservation.header(), reservation.level(), checksums, out);
      case MISMATCH ->
          out.failed(
              ErrorCode.CORRUPT,
              "record " + reservation.header().id() + " does not match its checksums");
      case DEAD ->
          out.failed(
              ErrorCode.GONE, "record " + reservation.header().id() + " was deleted meanwhile");
      case FULL, ABSENT -> throw new IllegalStateException("a commit answered " + commit);
    }
  }

  private void settleDuplicate(RecordHeader record, Level level, Checksums checksums, Outcome out) {
    if (!isTheSame(record, checksums)) {
      out.failed(
          ErrorCode.MALFORMED,
          "record " + record.id() + " is here with other bytes; bytes that differ need another id");
      return;
    }
    out.committed();
    Commit commit = store.require(record.id(), level, answer -> answered(answer, out));
    switch (commit) {
      case DONE -> out.reached();
      case PENDING -> {}
      case FULL -> out.failed(ErrorCode.NO_SPACE, reasonOf(Reserve.Reason.SSD_FULL));
      default -> out.failed(ErrorCode.BUSY, "record " + record.id() + " went away; send it again");
    }
  }

  /**
   * Whether the record that is already here equals the arriving one. Checksums of a record that is
   * only on the SSD are not in memory: members compare them with the bytes that they are sent.
   */
  private boolean isTheSame(RecordHeader record, Checksums checksums) {
    int storedBytes = store.payloadBytes(record.id());
    // It was deleted since: the store reports that when it is asked for the record's level.
    if (storedBytes < 0) return true;
    if (storedBytes != record.payloadBytes() || !record.file().equals(store.file(record.id()))) {
      return false;
    }
    int @Nullable [] stored = store.checksums(record.id(), 0, BlockChecksums.count(storedBytes));
    return stored == null || Arrays.equals(stored, checksums.toArray());
  }

  private static void answered(Waiter.Answer answer, Outcome out) {
    switch (answer) {
      case Waiter.Answer.Reached reached -> out.reached();
      case Waiter.Answer.Failed failed -> out.failed(ErrorCode.FAILED, failed.detail());
    }
  }

  /** Whether only deleting or draining makes room, and not time. */
  private static boolean isFull(Reserve.Reason reason) {
    return reason == Reserve.Reason.MEMORY_FULL || reason == Reserve.Reason.SSD_FULL;
  }

  private String reasonOf(Reserve.Reason reason) {
    return switch (reason) {
      case PREPARING -> "the seat is making room; this takes moments";
      case SPILLING -> "the seat's memory is full and is being written to its SSD";
      case MEMORY_FULL -> "the seat's memory is full of data that must be kept; " + remedy.get();
      case SSD_FULL ->
          "the seat's memory and SSD are full of data that must be kept; " + remedy.get();
    };
  }
}
