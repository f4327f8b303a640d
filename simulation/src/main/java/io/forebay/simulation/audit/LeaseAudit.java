// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.Seat;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Leases (P13): a home answers questions only while all required grantors have granted a lease
 * within its duration, counted from the request. A grantor enters no epoch with another home before
 * that time is over, nor does the manager create one. And no process enters an epoch that the
 * previous process of its seat was in (P12).
 */
public final class LeaseAudit extends Audit {
  private static final long LEASE_NANOS = 2_000_000_000L;

  private record Grant(String home, GroupId group, long epoch, SeatId by) {}

  private record Asked(String home, String client, long request) {}

  private record Place(String host, GroupId group) {}

  private record Promise(SeatId home, long start, long nanos) {}

  // Looked up only.
  private final Map<Grant, Long> grants = new HashMap<>();
  private final Map<Asked, GroupId> asked = new HashMap<>();
  private final Map<Place, Promise> promises = new HashMap<>();
  private final Map<GroupId, Promise> managerPromises = new TreeMap<>();
  private final Map<Place, Group> entered = new HashMap<>();
  private final Map<Place, Long> left = new HashMap<>();
  private List<Group> mapped = List.of();
  private long mapEpoch;

  public LeaseAudit(World world) {
    super(world);
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Maps.LeaseGranted granted) {
      Grant grant = new Grant(to, granted.group(), granted.epoch(), granted.member());
      grants.merge(grant, granted.sentNanos(), Math::max);
    } else if (message instanceof Names.Request names && names.what() instanceof Names.Question) {
      asked.put(new Asked(to, from, request), names.group());
    }
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Maps.LeaseGranted granted) {
      Promise promise = promise(homeOf(from, granted.group()));
      if (granted.member().equals(Maps.MANAGER)) managerPromises.put(granted.group(), promise);
      else promises.put(new Place(from, granted.group()), promise);
      return;
    }
    if (!answersNames(message)) return;
    GroupId id = asked.remove(new Asked(from, to, request));
    SeatNode node = nodeAt(from);
    if (id == null || node == null || message instanceof Replies.Failed) return;
    Group group = node.seat().entered(id);
    if (group != null) answered(node, group);
  }

  private Promise promise(SeatId home) {
    return new Promise(home, startOf(home), world().nanos());
  }

  /** Which process of a seat the map has. */
  private long startOf(SeatId seat) {
    RingMap map = world().map();
    SeatEntry entry = map == null ? null : map.seat(seat);
    return entry == null ? 0 : entry.start();
  }

  private SeatId homeOf(String grantor, GroupId id) {
    Seat seat = seatAt(grantor);
    RingMap map = world().map();
    Group group = seat != null ? seat.entered(id) : map == null ? null : map.group(id);
    return group == null ? Maps.MANAGER : group.home();
  }

  private void answered(SeatNode node, Group group) {
    boolean alone = true;
    for (Group.Member member : group.members()) {
      if (!member.current() || member.seat().equals(group.home())) continue;
      alone = false;
      require(node, group, member.seat());
    }
    if (alone) require(node, group, Maps.MANAGER);
  }

  private void require(SeatNode node, Group group, SeatId grantor) {
    Long sent = grants.get(new Grant(node.host(), group.id(), group.epoch(), grantor));
    if (sent != null && node.nanos() - sent <= LEASE_NANOS) return;
    broken(
        "P13",
        "%s answered a question in %s in epoch %d without a lease from %s; the last one is %s"
            .formatted(
                node.host(),
                group.id(),
                group.epoch(),
                grantor,
                sent == null ? "none" : (node.nanos() - sent) / 1000 + " us old"));
  }

  @Override
  public void look() {
    lookAtManager();
    if (mapped.isEmpty()) return;
    for (SeatNode node : world().seats()) {
      if (!node.isAlive()) continue;
      for (Group known : mapped) {
        Group now = node.seat().entered(known.id());
        if (now != null) lookAt(new Place(node.host(), known.id()), now);
      }
    }
  }

  private void lookAt(Place place, Group now) {
    Group before = entered.put(place, now);
    if (before != null && before.epoch() == now.epoch()) return;
    Long last = left.get(place);
    if (last != null && now.epoch() <= last) {
      broken("P12", place + " entered epoch " + now.epoch() + " again, after a restart");
    }
    Promise promise = promises.get(place);
    if (promise == null || promise.home.equals(now.home())) return;
    if (world().nanos() - promise.nanos < LEASE_NANOS) {
      broken("P13", place + " entered epoch " + now.epoch() + " though it had granted a lease");
    }
  }

  private void lookAtManager() {
    RingMap map = world().map();
    if (map == null || map.epoch() == mapEpoch) return;
    mapEpoch = map.epoch();
    mapped = map.groups();
    for (Group group : mapped) {
      Promise promise = managerPromises.get(group.id());
      if (promise == null || promise.home.equals(group.home())) continue;
      managerPromises.remove(group.id());
      // The process that had the lease is gone if another one of the seat has come.
      boolean over = promise.start != startOf(promise.home);
      if (over || world().nanos() - promise.nanos >= LEASE_NANOS) continue;
      broken("P13", "the manager changed " + group.id() + " though it had granted a lease");
    }
  }

  @Override
  public void killed(String host) {
    grants.keySet().removeIf(each -> each.home.equals(host));
    asked.keySet().removeIf(each -> each.home.equals(host));
    entered.forEach(
        (place, group) -> {
          if (place.host.equals(host)) left.put(place, group.epoch());
        });
    entered.keySet().removeIf(each -> each.host.equals(host));
  }
}
