package io.forebay.simulation;

import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** When a client hears that a record is kept, every current member of its group has it (P9). */
final class AcknowledgementAudit extends Audit {
  private final Map<RecordId, Data.Put> sent = new TreeMap<>();

  /** A client that was stopped hears of it when it may have been dropped again. */
  private static final long FRESH_NANOS = 1_000_000_000L;

  private final Map<RecordId, Long> answeredNanos = new TreeMap<>();
  private final TreeSet<RecordId> acknowledged = new TreeSet<>();

  AcknowledgementAudit(World world) {
    super(world);
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Data.PutDone done) answeredNanos.put(done.record(), world().nanos());
    if (!(message instanceof Data.Put put)) return;
    Data.Put before = sent.putIfAbsent(put.record(), put);
    if (before == null) return;
    if (!before.group().equals(put.group())) {
      broken("P3", "record " + put.record() + " was sent to two groups");
    }
    if (before.offset() != put.offset() || !before.checksums().equals(put.checksums())) {
      broken("P5", "record " + put.record() + " was sent with two contents");
    }
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Data.PutDone done) acknowledged(done);
  }

  private void acknowledged(Data.PutDone done) {
    RecordId record = done.record();
    Data.Put put = sent.get(record);
    // Once acknowledged it may be published, replaced and dropped before it is acknowledged again.
    if (!acknowledged.add(record) || world().nanos() - doneNanos(record) > FRESH_NANOS) return;
    RingMap map = world().map();
    Group group = map == null || put == null ? null : map.group(put.group());
    if (map == null || group == null) return;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      if (!member.current() || seat == null) continue;
      SeatNode node = world().seatAt(seat.server());
      if (node.isAlive() && !node.store().present(record)) {
        broken("P9", "record " + record + " was acknowledged, but is not on " + node.host());
      }
    }
  }

  private long doneNanos(RecordId record) {
    return answeredNanos.getOrDefault(record, 0L);
  }

  /** Whether some client was told that the record is kept. */
  boolean heard(RecordId record) {
    return acknowledged.contains(record);
  }

  int count() {
    return acknowledged.size();
  }
}
