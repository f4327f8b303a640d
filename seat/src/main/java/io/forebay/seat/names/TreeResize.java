// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.base.Timers;
import io.forebay.namespace.GroupCommand;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.MapView;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives the tree of an instance the capacity that the map says:
 *
 * <ol>
 *   <li>The manager has changed the capacity of an instance. If it is less than before, the
 *       granules are still the instance's.
 *   <li>The home of the tree journals the capacity. A tree that holds more, or has promised more to
 *       sessions, keeps its own.
 *   <li>The home tells the manager whether the tree fits, and again until the map shows that the
 *       manager knows. The manager frees the granules, or restores the former capacity.
 * </ol>
 *
 * <p>So granules are freed only after the tree can hold no more than the others, whichever process
 * dies meanwhile.
 */
public final class TreeResize {
  private static final long LOOK_NANOS = 250_000_000L;
  private static final long TELL_NANOS = 1_000_000_000L;

  private final MapView maps;
  private final Timers timers;
  private final ManagerLink manager;
  private final HomeView home;
  private final Set<Integer> pending = new TreeSet<>();
  private long lookedNanos;

  public TreeResize(Basics basics, ManagerLink manager, HomeView home) {
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.manager = manager;
    this.home = home;
    this.lookedNanos = timers.nanos() - LOOK_NANOS;
  }

  public void tick() {
    RingMap map = maps.map();
    boolean early = timers.nanos() - lookedNanos < LOOK_NANOS;
    if (early || map == null || !home.serving() || !home.takesMore()) return;
    lookedNanos = timers.nanos();
    for (Instance instance : map.instances()) {
      boolean own = instance.rootGroup().equals(home.group().id());
      if (own && instance.allocation().isPromise()) follow(instance);
    }
  }

  private void follow(Instance instance) {
    long treeBytes = home.state().capacityBytes(instance.id(), 0);
    boolean differs = treeBytes != 0 && treeBytes != instance.capacityBytes();
    if (!differs && !isAwaited(instance)) return;
    if (!pending.add(instance.id())) return;
    boolean taken =
        home.propose(
            new GroupCommand.ResizeTree(instance.id(), 0, instance.capacityBytes()),
            instance.forced(),
            applied -> {
              pending.remove(instance.id());
              if (applied == null || !isAwaited(instance)) return;
              tell(instance, applied.reply() instanceof Replies.Done);
            });
    if (!taken) pending.remove(instance.id());
  }

  /** Whether the manager waits to free granules. */
  private static boolean isAwaited(Instance instance) {
    return instance.allocation().granules() > instance.granulesWanted();
  }

  private void tell(Instance instance, boolean fits) {
    manager.ask(
        new Maps.TreeResized(
            instance.id(), home.group().id(), home.group().epoch(), instance.capacityBytes(), fits),
        TELL_NANOS,
        reply -> {});
  }
}
