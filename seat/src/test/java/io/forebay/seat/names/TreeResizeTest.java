// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.ServingHome;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The capacity of a tree follows the map, and the manager hears whether it fits. */
class TreeResizeTest {
  private static final long LOOK_NANOS = 250_000_000L;
  private static final int INSTANCE = 1;
  private static final long SESSION = 77;
  private static final int GRANULE = 1 << 20;

  private final TestSeat seat = new TestSeat();
  private final GroupState state = new GroupState(SmallRing.id(1, 2));
  private final List<HomeView.Change> waiting = new ArrayList<>();
  private boolean journalStands;
  private long index;
  private ServingHome home;
  private TreeResize resize;

  /** The home of a tree of 4 granules. */
  TreeResizeTest() {
    RingMap map = map(4, 4);
    seat.follow(map);
    home = new ServingHome(map.groups().getFirst(), state, this::propose);
    resize = new TreeResize(seat.basics(), seat.links().manager(), home);
    apply(new GroupCommand.BeginTree(INSTANCE, 0, 0, 0, 4L * GRANULE, false, 1));
  }

  /** The instance has one number of granules and the capacity of another. */
  private static RingMap map(int granules, int capacity) {
    RingMap map =
        SmallRing.of(2)
            .group(1, 2, SmallRing.current(1), SmallRing.current(2))
            .instance(2, false)
            .map();
    Allocation allocation =
        new Allocation("default", GRANULE, List.of(new Allocation.Share(new SeatId(1), granules)));
    List<Instance> instances =
        map.instances().stream()
            .map(each -> each.withAllocation(allocation, each.seats()))
            .map(each -> each.withCapacity((long) capacity * GRANULE))
            .toList();
    return new RingMap(
        map.cluster(), map.term(), map.epoch(), map.seats(), map.groups(), instances);
  }

  private GroupState.Applied apply(GroupCommand command) {
    return state.apply(++index, command);
  }

  private void propose(GroupCommand command, HomeView.Change change) {
    if (journalStands) waiting.add(change);
    else change.applied(apply(command));
  }

  private void follow(int granules, int capacity) {
    seat.follow(map(granules, capacity));
    tick();
  }

  private void tick() {
    seat.advance(LOOK_NANOS);
    resize.tick();
  }

  private long capacity() {
    return state.capacityBytes(INSTANCE, 0) / GRANULE;
  }

  private List<Message> told() {
    return seat.takeSentToManager().stream().map(sent -> sent.message()).toList();
  }

  private Message resized(int capacity, boolean fits) {
    return new Maps.TreeResized(
        INSTANCE, home.group().id(), home.group().epoch(), (long) capacity * GRANULE, fits);
  }

  private void takeRoom(int granules) {
    Identity who = Identity.root();
    apply(
        new GroupCommand.ClientChange(
            INSTANCE, 0, SESSION, 1, 0, 0, who, 1, new Names.BeginSession("n", 1_000_000_000L)));
    apply(
        new GroupCommand.ClientChange(
            INSTANCE, 0, SESSION, 2, 0, 0, who, 1, new Names.TakeRoom((long) granules * GRANULE)));
  }

  @Test
  void theSameCapacityIsNotJournalled() {
    long before = index;
    tick();
    assertThat(index).isEqualTo(before);
    assertThat(told()).isEmpty();
  }

  @Test
  void moreIsJournalledAndTheManagerNeedNotKnow() {
    follow(6, 6);
    assertThat(capacity()).isEqualTo(6);
    assertThat(told()).isEmpty();
  }

  @Test
  void lessIsJournalledBeforeTheManagerHearsOfItAgainAndAgain() {
    journalStands = true;
    follow(4, 2);
    tick();
    assertThat(told()).as("nothing is journalled").isEmpty();
    assertThat(waiting).as("proposed once").hasSize(1);
    waiting.removeFirst().applied(apply(new GroupCommand.ResizeTree(INSTANCE, 0, 2L * GRANULE)));
    assertThat(capacity()).isEqualTo(2);
    assertThat(told()).containsExactly(resized(2, true));
    journalStands = false;
    tick();
    assertThat(told()).containsExactly(resized(2, true));
    follow(2, 2);
    assertThat(told()).as("the manager has freed the granules").isEmpty();
  }

  @Test
  void aTreeThatHasPromisedMoreKeepsItsCapacity() {
    takeRoom(3);
    follow(4, 2);
    assertThat(capacity()).isEqualTo(4);
    assertThat(told()).containsExactly(resized(2, false));
    follow(4, 4);
    assertThat(told()).as("the manager has restored the capacity").isEmpty();
  }

  @Test
  void anEpochThatEndsSaysNothing() {
    journalStands = true;
    follow(4, 2);
    waiting.removeFirst().applied(null);
    assertThat(told()).isEmpty();
    home.setServing(false);
    tick();
    assertThat(waiting).isEmpty();
  }
}
