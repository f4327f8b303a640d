// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.use.InstanceUse;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Write protection refuses no record that its home has taken. What a home counted is in its journal
 * soon, and no takeover forgets it (P30).
 */
public final class UseAudit extends Audit {
  /** A home that serves for this long after an acknowledgement has journalled the bytes. */
  private static final long COUNTED_NANOS = 10_000_000_000L;

  private static final int EVERY_STEPS = 16;

  private record Asked(String host, String client, long request) {}

  private record Counted(GroupId group, int instance) implements Comparable<Counted> {
    @Override
    public int compareTo(Counted other) {
      int byGroup = group.compareTo(other.group);
      return byGroup != 0 ? byGroup : Integer.compare(instance, other.instance);
    }
  }

  /** An acknowledged record, and since when its home has served without a break. */
  private static final class Taken {
    final Counted key;
    final String host;
    final long epoch;
    final long bytes;
    long sinceNanos;

    Taken(Counted key, String host, long epoch, long bytes, long sinceNanos) {
      this.key = key;
      this.host = host;
      this.epoch = epoch;
      this.bytes = bytes;
      this.sinceNanos = sinceNanos;
    }
  }

  // Looked up only.
  private final Map<Asked, Data.Put> asked = new HashMap<>();
  private final Map<RecordId, Data.Put> first = new HashMap<>();
  private final Set<RecordId> acknowledged = new HashSet<>();

  private final List<Taken> waiting = new ArrayList<>();
  private final Map<Counted, Long> due = new TreeMap<>();
  private final Map<Counted, Long> counted = new TreeMap<>();
  private final Map<GroupId, Long> restored = new TreeMap<>();
  private int refused;

  public UseAudit(World world) {
    super(world);
  }

  /** How many records write protection refused. */
  public int refused() {
    return refused;
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Data.Put put) {
      asked.put(new Asked(to, from, request), put);
      first.putIfAbsent(put.record(), put);
    } else if (message instanceof Data.PutDone done) {
      acknowledges(from, done.record());
    } else if (message instanceof Replies.Failed failed && failed.code() == ErrorCode.READ_ONLY) {
      refuses(from, asked.get(new Asked(from, to, request)));
    }
  }

  private void refuses(String host, Data.@Nullable Put put) {
    SeatNode node = nodeAt(host);
    if (put == null || node == null) return;
    refused++;
    if (node.store().present(put.record())) {
      broken("P30", host + " refused record " + put.record() + ", which it has taken");
    }
  }

  private void acknowledges(String host, RecordId record) {
    Data.Put put = first.get(record);
    SeatNode node = nodeAt(host);
    if (put == null || node == null) return;
    Group group = node.seat().entered(put.group());
    // One that was taken in an earlier epoch may have been counted by a home that is dead.
    if (group == null || group.epoch() != put.epoch() || !acknowledged.add(record)) return;
    long bytes = node.store().payloadBytes(record);
    if (bytes <= 0) return;
    Counted key = new Counted(put.group(), put.file().instance());
    waiting.add(new Taken(key, host, put.epoch(), bytes, world().nanos()));
  }

  @Override
  public void killed(String host) {
    waiting.removeIf(each -> each.host.equals(host));
  }

  @Override
  public int everySteps() {
    return EVERY_STEPS;
  }

  @Override
  public void look() {
    RingMap map = world().map();
    if (map == null) return;
    for (SeatNode node : world().seats()) {
      if (!node.isAlive()) continue;
      for (Group group : map.groups()) {
        GroupState state = node.seat().served(group.id());
        if (state != null) compare(node, group, state);
      }
    }
    lookAtTaken();
  }

  private void compare(SeatNode node, Group group, GroupState state) {
    long restoration = group.restoration().epoch();
    if (!Long.valueOf(restoration).equals(restored.put(group.id(), restoration))) {
      // All members lost their memory, and the group continued with what was forced.
      forget(group.id());
    }
    for (Map.Entry<Integer, InstanceUse> use : state.uses().all().entrySet()) {
      Counted key = new Counted(group.id(), use.getKey());
      long bytes = use.getValue().writtenBytes();
      Long before = counted.put(key, bytes);
      if (before != null && bytes < before) {
        broken("P30", "%s counts %d of %s, after %d".formatted(node.host(), bytes, key, before));
      }
    }
    for (Counted key : counted.keySet()) {
      if (!key.group.equals(group.id()) || state.uses().of(key.instance) != null) continue;
      broken("P30", node.host() + " counts nothing of " + key + ", after " + counted.get(key));
    }
  }

  private void forget(GroupId group) {
    waiting.removeIf(each -> each.key.group.equals(group));
    due.keySet().removeIf(each -> each.group.equals(group));
    counted.keySet().removeIf(each -> each.group.equals(group));
  }

  private void lookAtTaken() {
    for (Iterator<Taken> each = waiting.iterator(); each.hasNext(); ) {
      Taken taken = each.next();
      SeatNode node = nodeAt(taken.host);
      Group entered = node == null ? null : node.seat().entered(taken.key.group);
      if (node == null || entered == null || entered.epoch() != taken.epoch) {
        each.remove();
        continue;
      }
      GroupState state = node.seat().served(taken.key.group);
      if (state == null || node.isPaused()) {
        taken.sinceNanos = world().nanos();
      } else if (world().nanos() - taken.sinceNanos >= COUNTED_NANOS) {
        each.remove();
        requireCounted(taken, state);
      }
    }
  }

  private void requireCounted(Taken taken, GroupState state) {
    long bytes = due.merge(taken.key, taken.bytes, Long::sum);
    InstanceUse use = state.uses().of(taken.key.instance);
    long journalled = use == null ? 0 : use.writtenBytes();
    if (journalled >= bytes) return;
    broken(
        "P30",
        "%s has journalled %d bytes of %s, and acknowledged %d long ago"
            .formatted(taken.host, journalled, taken.key, bytes));
  }
}
