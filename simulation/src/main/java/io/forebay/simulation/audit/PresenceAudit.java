// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A record that a seat confirmed stays there until it is declared dead (I1): a restart does not
 * lose it, nor, if it was to be forced, does a power cut (P19).
 */
public final class PresenceAudit extends Audit {
  /** Records looked at after each step. */
  private static final int LOOKED_AT = 20;

  private record Claim(GroupId group, FileId file, boolean forced) {}

  private final Map<String, Map<RecordId, Claim>> claims = new TreeMap<>();
  private final List<Data.Dead> dead = new ArrayList<>();

  // Looked up only.
  private final Map<RecordId, Claim> written = new HashMap<>();
  private long epoch;
  private int turn;
  private @Nullable Iterator<RecordId> walk;

  public PresenceAudit(World world) {
    super(world);
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Data.Put put) {
      written.put(put.record(), new Claim(put.group(), put.file(), put.forced()));
    }
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    switch (message) {
      case Data.PutDone done -> claim(from, done.record());
      case Data.Confirm confirm -> {
        if (confirm.code() == ErrorCode.NONE) claim(from, confirm.record());
      }
      case Data.Kill kill -> dead.addAll(kill.dead());
      case Data.KillCopies kill -> dead.addAll(kill.dead());
      case Data.DeadAre are -> {
        for (RecordId record : are.records()) dead.add(Data.Dead.record(record));
      }
      default -> {}
    }
  }

  private void claim(String host, RecordId record) {
    Claim claim = written.get(record);
    if (claim == null) return;
    claims.computeIfAbsent(host, each -> new LinkedHashMap<>()).put(record, claim);
  }

  /** It only looks at a part each time. */
  @Override
  public int everySteps() {
    return 4;
  }

  @Override
  public void look() {
    forgetFormerMembers();
    SeatNode node = world().seats().get(turn % world().seats().size());
    Map<RecordId, Claim> here = claims.get(node.host());
    if (here == null || !node.isAlive()) {
      walk = null;
      turn++;
      return;
    }
    if (walk == null) walk = List.copyOf(here.keySet()).iterator();
    for (int i = 0; i < LOOKED_AT; i++) {
      if (!walk.hasNext()) {
        walk = null;
        turn++;
        return;
      }
      RecordId next = walk.next();
      Claim claim = here.get(next);
      if (claim != null && gone(node, next, claim)) here.remove(next);
    }
  }

  /** A seat that has left a group drops its records, and starts anew if it comes back. */
  private void forgetFormerMembers() {
    RingMap map = world().map();
    if (map == null || map.epoch() == epoch) return;
    epoch = map.epoch();
    for (SeatNode node : world().seats()) {
      Map<RecordId, Claim> here = claims.get(node.host());
      if (here != null) here.values().removeIf(claim -> !isMember(node, claim.group));
    }
  }

  /** Whether the record is gone; reports a problem if it should be there. */
  private boolean gone(SeatNode node, RecordId record, Claim claim) {
    if (node.store().present(record)) return false;
    if (!isMember(node, claim.group)
        || dead.stream().anyMatch(each -> names(each, record, claim))) {
      return true;
    }
    // Its return is checked when all faults have healed.
    if (node.flipped().contains(record)) return true;
    boolean cut = node.losses() > 0;
    if (cut && !claim.forced) return true;
    broken(
        cut ? "P19" : "I1",
        "record %s of %s has gone from %s, and it was not declared dead"
            .formatted(record, claim.group, node.host()));
    return true;
  }

  /** The records of a group that were to be forced. */
  List<RecordId> forcedIn(GroupId group) {
    return written.entrySet().stream()
        .filter(each -> each.getValue().forced && each.getValue().group.equals(group))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Whether the record was declared dead. */
  boolean isDead(RecordId record) {
    Claim claim = written.get(record);
    return claim != null && dead.stream().anyMatch(each -> names(each, record, claim));
  }

  private boolean isMember(SeatNode node, GroupId id) {
    RingMap map = world().map();
    Group group = map == null ? null : map.group(id);
    return map != null
        && group != null
        && group.members().stream().anyMatch(each -> node.equals(nodeOf(map, each.seat())));
  }

  private static boolean names(Data.Dead dead, RecordId record, Claim claim) {
    if (dead.wholeFile()) return dead.file().equals(claim.file);
    return dead.session() == record.session()
        && dead.fromSequence() <= record.sequence()
        && record.sequence() <= dead.toSequence();
  }
}
