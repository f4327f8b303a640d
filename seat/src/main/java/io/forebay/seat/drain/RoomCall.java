// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.Intake;
import io.forebay.store.Store;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Loads.Strain;
import java.util.TreeSet;

/**
 * While this seat has no room for clients' writes, or all its free room is promised to other
 * instances, asks the homes of drained trees to evict drained data, and to drain more if nothing
 * else helps.
 */
public final class RoomCall {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  /** The size of one request, in segments of the log: freeing takes a while. */
  private static final int SEGMENTS_WANTED = 8;

  private final MapView maps;
  private final Timers timers;
  private final Store store;
  private final Questions questions;
  private final Intake intake;
  private final Overload overload;
  private long calledNanos;

  public RoomCall(Basics basics, Questions questions, Intake intake, Overload overload) {
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.store = basics.store();
    this.questions = questions;
    this.intake = intake;
    this.overload = overload;
    this.calledNanos = timers.nanos() - PAUSE_NANOS;
  }

  public void tick() {
    RingMap map = maps.map();
    if (map == null || timers.nanos() - calledNanos < PAUSE_NANOS) return;
    boolean full = intake.isFull() || overload.own().strain() == Strain.FULL;
    boolean promised = overload.lacksSpare();
    if (!full && !promised && intake.pressure().isEmpty()) return;
    calledNanos = timers.nanos();
    long bytes = (long) SEGMENTS_WANTED * store.config().segmentBytes();
    call(map, bytes, full || promised, promised && !full);
  }

  /**
   * Asks for room.
   *
   * @param full whether files are to be drained before their policy says so
   * @param unpromised whether only instances without a promise can give up room
   */
  public void call(RingMap map, long bytes, boolean full, boolean unpromised) {
    TreeSet<Integer> copies = new TreeSet<>();
    for (Instance instance : map.instances()) {
      if (!instance.drain().isNone()) copies.add(instance.copies());
    }
    for (Group group : map.groups()) {
      if (!copies.contains(group.id().copies())) continue;
      questions.askHome(
          group.id(),
          known -> new Drains.WantRoom(known.id(), known.epoch(), bytes, full, unpromised),
          ANSWER_NANOS,
          reply -> {});
    }
  }
}
