// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.simulation.world.WireTap;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.List;

/** Waits for a host to send a message of a kind, and then runs an action against the host. */
final class MessageTrigger implements WireTap {
  /** How long to wait for the message at most. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  private record Moment(
      String host, Class<? extends Message> kind, long untilNanos, Runnable then) {}

  private final World world;
  private final List<Moment> awaited = new ArrayList<>();
  private final List<Runnable> come = new ArrayList<>();

  MessageTrigger(World world) {
    this.world = world;
    world.trace().tap(this);
  }

  void await(String host, Class<? extends Message> kind, Runnable then) {
    awaited.add(new Moment(host, kind, world.nanos() + PATIENCE_NANOS, then));
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (awaited.isEmpty()) return;
    for (Moment each : List.copyOf(awaited)) {
      if (!each.host.equals(from) || !each.kind.isInstance(message)) continue;
      awaited.remove(each);
      come.add(each.then);
    }
  }

  /** Runs actions that are due; between two steps. */
  void act() {
    awaited.removeIf(each -> each.untilNanos < world.nanos());
    if (come.isEmpty()) return;
    List<Runnable> due = List.copyOf(come);
    come.clear();
    due.forEach(Runnable::run);
  }

  void stop() {
    awaited.clear();
    come.clear();
  }
}
