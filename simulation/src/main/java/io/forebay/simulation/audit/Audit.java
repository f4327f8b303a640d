// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.Seat;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.WireTap;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observes a running cluster, and records violations of rules. */
public abstract class Audit implements WireTap {
  private static final int PROBLEMS_MAX = 20;

  private final World world;
  private final List<Problem> problems = new ArrayList<>();

  // No event is traced before this constructor has ended.
  @SuppressWarnings("this-escape")
  public Audit(World world) {
    this.world = world;
    world.trace().tap(this);
  }

  public final World world() {
    return world;
  }

  /** Checks the cores, at intervals. */
  public void look() {}

  /** The number of steps between two checks. */
  public int everySteps() {
    return 1;
  }

  public final void broken(String rule, String sentence) {
    if (problems.size() < PROBLEMS_MAX) problems.add(new Problem(rule, sentence));
  }

  /** The violations found so far. */
  public final List<Problem> problems() {
    return problems;
  }

  /**
   * Whether a message answers a question or change of names: other requests travel on connections
   * of their own, with numbers of their own.
   */
  static boolean answersNames(Message message) {
    return message instanceof Replies.Done
        || message instanceof Replies.Failed
        || Names.class.equals(message.getClass().getEnclosingClass());
  }

  /** The seat that runs on a host, or null. */
  final @Nullable SeatNode nodeAt(String host) {
    for (SeatNode node : world.seats()) {
      if (node.host().equals(host)) return node.isAlive() ? node : null;
    }
    return null;
  }

  final @Nullable Seat seatAt(String host) {
    SeatNode node = nodeAt(host);
    return node == null ? null : node.seat();
  }

  final @Nullable SeatNode nodeOf(RingMap map, SeatId seat) {
    SeatEntry entry = map.seat(seat);
    return entry == null ? null : nodeAt(entry.server());
  }
}
