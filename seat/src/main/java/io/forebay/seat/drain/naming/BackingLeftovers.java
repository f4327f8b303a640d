// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.AttemptId;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Leftover;
import io.forebay.backing.pack.PackFolder;
import io.forebay.base.FileId;
import io.forebay.base.Timers;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.TreeContext;
import io.forebay.wire.message.Names;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes leftovers of a tree's attempts in the backing store that the journal no longer knows,
 * such as a begin that was carried out after its attempt had been aborted. After a failed attempt
 * it looks there when no call can be carried out any more. It also looks everywhere, one directory
 * at a time, when a home has served for a while, and at intervals.
 */
public final class BackingLeftovers implements TreeContext.Leftovers {
  /** Between two walks through all directories. */
  private static final long WALK_NANOS = 3_600_000_000_000L;

  /** Directories to look into; if there are more, all are. */
  private static final int SUSPECTS_MAX = 1_000;

  private final MapView maps;
  private final Timers timers;
  private final SeatEvents events;
  private final TreeContext tree;
  private final PackLeftovers packs;

  /** Directories in which something may be found, and not before when. */
  private final Map<BackingPath, Long> suspects = new LinkedHashMap<>();

  private long walkNanos;

  /** The position of the walk; null while there is none. */
  private @Nullable String at;

  private boolean underWay;

  public BackingLeftovers(Basics basics, TreeContext tree, PackLeftovers packs) {
    this.packs = packs;
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.events = basics.events();
    this.tree = tree;
    this.walkNanos = timers.nanos() + BackingFence.LATE_NANOS_MAX;
  }

  /** An attempt is aborted: its pending calls may still be carried out. */
  @Override
  public void suspect(DrainAttempt attempt) {
    suspect(BackingPath.of(attempt.target()).parent());
  }

  /** The same of an attempt in that directory. */
  @Override
  public void suspect(BackingPath directory) {
    long lookNanos = timers.nanos() + BackingFence.LATE_NANOS_MAX;
    suspects.remove(directory);
    if (suspects.size() < SUSPECTS_MAX) suspects.put(directory, lookNanos);
    else walkNanos = lookNanos;
  }

  public void tick() {
    Backing backing = tree.backing();
    BackingView view = tree.view();
    if (underWay || backing == null || view == null || backing.room() == 0) return;
    BackingPath next = next(view);
    if (next == null) return;
    underWay = true;
    backing.leftovers(
        next,
        answer -> {
          underWay = false;
          // A directory that the store does not have yet has nothing left in it.
          if (answer instanceof Backing.Answer.Done<List<Leftover>> found) {
            remove(next, found.value());
          }
        });
  }

  private @Nullable BackingPath next(BackingView view) {
    Iterator<Map.Entry<BackingPath, Long>> each = suspects.entrySet().iterator();
    if (each.hasNext()) {
      // In the order in which they are due.
      Map.Entry<BackingPath, Long> first = each.next();
      if (timers.nanos() - first.getValue() >= 0) {
        each.remove();
        return first.getKey();
      }
    }
    if (at == null) {
      if (timers.nanos() - walkNanos < 0) return null;
      walkNanos = timers.nanos() + WALK_NANOS;
      at = "";
      if (packs.isOn()) suspects.put(PackFolder.PATH, timers.nanos());
      return BackingPath.ROOT;
    }
    String next = view.directoryBehind(at);
    at = next;
    if (next == null || BackingPath.problemWith(next.substring(1)) != null) return null;
    return BackingPath.of(next);
  }

  private void remove(BackingPath directory, List<Leftover> found) {
    // A home without a lease may not know attempts that have begun since.
    Backing backing = tree.backing();
    if (!tree.active() || backing == null || backing.room() == 0) return;
    List<Leftover> dead = found.stream().filter(this::isDead).toList();
    if (dead.isEmpty()) return;
    underWay = true;
    backing.run(
        store -> {
          for (Leftover each : dead) store.remove(each);
        },
        answer -> {
          underWay = false;
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing>) return;
          events.told("removed %d leftovers from '%s'".formatted(dead.size(), directory));
          // There may be more than one answer can hold.
          if (found.size() >= BackingStore.LEFTOVERS_MAX) suspects.put(directory, timers.nanos());
        });
  }

  /** Whether it is of an attempt at a file of this tree that is over. */
  private boolean isDead(Leftover leftover) {
    RingMap map = maps.map();
    BackingView view = tree.view();
    AttemptId.Origin origin = originOf(leftover);
    if (map == null || view == null || origin == null) return false;
    FileId file = origin.file();
    boolean own =
        origin.cluster() == map.cluster()
            && file.instance() == tree.instance()
            && Names.treeOf(file.number()) == tree.tree();
    if (!own) return false;
    if (packs.isPack(origin)) return packs.isDead(origin, view);
    DrainAttempt known = view.attempt(file.number());
    return known == null
        || known.number() != origin.attempt()
        || known.version() != origin.version();
  }

  /** Null if unknown, or if it belongs to another program. */
  private static AttemptId.@Nullable Origin originOf(Leftover leftover) {
    if (leftover.id().isEmpty()) return null;
    try {
      return new AttemptId(leftover.id()).origin();
    } catch (IllegalArgumentException notAnId) {
      return null;
    }
  }
}
