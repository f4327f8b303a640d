// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Asks for leases and compares them with the maps that are out. */
final class LeaseWatch {
  /** A lease asked for, counted by its home from when it asked. */
  private record Asked(ManagerWorld.Peer peer, long request, long sentNanos) {}

  private record Held(long epoch, long endNanos) {}

  private final ManagerWorld world;
  private final List<Asked> asked = new ArrayList<>();
  private final Map<GroupId, List<Held>> held = new TreeMap<>();
  private final Map<GroupId, Long> epochs = new TreeMap<>();
  private long ringEpoch;
  int granted;

  LeaseWatch(ManagerWorld world) {
    this.world = world;
  }

  /** Asks for some group's lease as its home would. */
  void ask(ManagerWorld.Peer peer, SplittableRandom random) {
    RingMap map = world.manager.map();
    if (map == null) return;
    Group group = map.groups().get(random.nextInt(map.groups().size()));
    Maps.Lease lease = new Maps.Lease(group.id(), group.epoch(), group.home(), world.now());
    asked.add(new Asked(peer, peer.send(lease), world.now()));
  }

  /** Takes what was granted, and looks at the map that is out. */
  void look() {
    asked.removeIf(this::taken);
    RingMap map = world.manager.map();
    if (map == null || map.epoch() == ringEpoch) return;
    assertThat(map.epoch()).isGreaterThan(ringEpoch);
    ringEpoch = map.epoch();
    for (Group group : map.groups()) {
      assertThat(group.epoch()).isGreaterThanOrEqualTo(epochs.getOrDefault(group.id(), 0L));
      epochs.put(group.id(), group.epoch());
      for (Held lease : held.getOrDefault(group.id(), List.of())) {
        if (lease.epoch() == group.epoch()) continue;
        assertThat(lease.endNanos()).as("%s is leased", group.id()).isLessThan(world.now());
      }
    }
  }

  private boolean taken(Asked each) {
    if (!(each.peer().answer(each.request()) instanceof Maps.LeaseGranted lease)) {
      return each.peer().answer(each.request()) != null;
    }
    granted++;
    held.computeIfAbsent(lease.group(), g -> new ArrayList<>())
        .add(new Held(lease.epoch(), each.sentNanos() + lease.durationNanos()));
    return true;
  }

  /** How often the epochs of groups were raised. */
  long raised() {
    return epochs.values().stream().mapToLong(epoch -> epoch - 1).sum();
  }
}
