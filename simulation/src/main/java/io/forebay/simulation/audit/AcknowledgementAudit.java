// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * When a client learns that a record is kept, every current member of its group has it (P9), unless
 * the client has given its piece up (P5). A record is sent to one group (P3), with one content
 * (P5).
 */
public final class AcknowledgementAudit extends Audit {
  /** A paused client may receive the acknowledgement after the record was dropped again. */
  private static final long FRESH_NANOS = 1_000_000_000L;

  private final TreeMap<RecordId, Data.Put> sent = new TreeMap<>();
  private final Map<RecordId, Long> answeredNanos = new TreeMap<>();
  private final TreeSet<RecordId> acknowledged = new TreeSet<>();
  private final GivenUpPieces givenUp = new GivenUpPieces();

  /** Records of instances that wait for all copies. */
  private final TreeSet<RecordId> waits = new TreeSet<>();

  public AcknowledgementAudit(World world) {
    super(world);
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Data.PutDone done) answeredNanos.put(done.record(), world().nanos());
    if (message instanceof Data.Put put) sent(put);
    givenUp.sent(message);
  }

  private void sent(Data.Put put) {
    RingMap map = world().map();
    Instance instance = map == null ? null : map.instance(put.file().instance());
    if (instance != null && instance.whenDegraded() == Instance.WhenDegraded.WAIT)
      waits.add(put.record());
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
    if (message instanceof Data.PutDone done) acknowledged(done.record());
  }

  private void acknowledged(RecordId record) {
    Data.Put put = sent.get(record);
    // Once acknowledged it may be published, replaced and dropped before it is acknowledged again.
    if (!acknowledged.add(record) || isReplaced(record) || put == null) return;
    // The client ignores it: it has given the piece up, so the record may be deleted by now.
    if (givenUp.contains(record)) return;
    boolean late = world().nanos() - answeredNanos.getOrDefault(record, 0L) > FRESH_NANOS;
    RingMap map = world().map();
    Group group = map == null ? null : map.group(put.group());
    if (map == null || group == null || late) return;
    int without = 0;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      if (seat == null) continue;
      SeatNode node = world().seatAt(seat.server());
      if (!node.isAlive() || node.store().present(record)) continue;
      // It had the record, and has found the damage by now.
      if (node.flipped().contains(record)) continue;
      // It had the record and lost its memory, which the home could not know; others still have the
      // record.
      if (node.lossUnknown()) continue;
      without++;
      if (member.current()) {
        broken("P9", "record " + record + " was acknowledged, but is not on " + node.host());
      }
    }
    boolean few = group.members().size() - without < group.id().copies();
    if (few && waits.contains(record)) {
      broken("P15", "record " + record + " was acknowledged with too few copies");
    }
  }

  /**
   * Whether its piece was sent to another group since: the client publishes that attempt, and this
   * one may be dropped with the file before it is acknowledged.
   */
  private boolean isReplaced(RecordId record) {
    RecordId later = sent.higherKey(record);
    return later != null
        && later.session() == record.session()
        && later.sequence() / RecordId.ATTEMPTS == record.sequence() / RecordId.ATTEMPTS;
  }

  /** Whether a client got the acknowledgement of the record and relies on it. */
  boolean heard(RecordId record) {
    return acknowledged.contains(record) && !isReplaced(record);
  }

  public int count() {
    return acknowledged.size();
  }
}
