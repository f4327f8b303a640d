package io.forebay.simulation;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** When a client hears that a record is kept, every current member of its group has it (P9). */
final class AcknowledgementAudit implements TappedNetwork.Tap {
  private final World world;
  private final TreeMap<RecordId, GroupId> sent = new TreeMap<>();
  private final TreeSet<RecordId> acknowledged = new TreeSet<>();

  /** Records of instances that wait for all copies. */
  private final TreeSet<RecordId> waits = new TreeSet<>();

  private final List<String> problems = new ArrayList<>();

  AcknowledgementAudit(World world) {
    this.world = world;
  }

  @Override
  public void sent(Data.Put put) {
    GroupId before = sent.putIfAbsent(put.record(), put.group());
    if (before != null && !before.equals(put.group())) {
      problems.add("record " + put.record() + " was sent to two groups");
    }
    RingMap map = world.map();
    Instance instance = map == null ? null : map.instance(put.file().instance());
    if (instance != null && instance.few() == Instance.Few.WAIT) waits.add(put.record());
  }

  @Override
  public void acknowledged(Data.PutDone done) {
    RecordId record = done.record();
    GroupId id = sent.get(record);
    // Once acknowledged it may be published, replaced and dropped before it is acknowledged again.
    if (!acknowledged.add(record) || isGivenUp(record)) return;
    RingMap map = world.map();
    Group group = map == null || id == null ? null : map.group(id);
    if (map == null || group == null) return;
    int without = 0;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      if (seat == null) continue;
      SeatNode node = world.seatAt(seat.server());
      if (!node.isAlive() || node.store().present(record)) continue;
      without++;
      if (member.current()) {
        problems.add(
            "record " + record + " was acknowledged, but is not on " + node.host() + " (P9)");
      }
    }
    boolean few = group.members().size() - without < group.id().copies();
    if (few && waits.contains(record)) {
      problems.add("record " + record + " was acknowledged with too few copies (P15)");
    }
  }

  /**
   * Whether its piece was sent to another group since: the client publishes that attempt, and this
   * one may be dropped with the file before it is acknowledged.
   */
  private boolean isGivenUp(RecordId record) {
    RecordId later = sent.higherKey(record);
    return later != null
        && later.session() == record.session()
        && later.sequence() / RecordId.ATTEMPTS == record.sequence() / RecordId.ATTEMPTS;
  }

  /** Whether some client was told that the record is kept, and counts on it. */
  boolean heard(RecordId record) {
    return acknowledged.contains(record) && !isGivenUp(record);
  }

  /** What has been found wrong so far. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  int count() {
    return acknowledged.size();
  }
}
