// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import io.forebay.base.FileId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files to drain, in order: first those that a client waits for, then by priority, then the
 * oldest. A file is in it once. A failed drain comes back after a pause that the owner chooses.
 * Bounded: the owner offers a refused file again when it next looks through its files.
 */
public final class DrainQueue {
  /**
   * A file to be drained.
   *
   * @param age older ones have lower numbers, such as when the file was first published
   */
  public record Item(FileId file, Cause cause, int priority, long age) {}

  private record Postponed(Item item, long notBeforeNanos) {}

  private static final Comparator<Item> ORDER =
      Comparator.comparing((Item item) -> !item.cause.isUrgent())
          .thenComparing(Comparator.comparingInt(Item::priority).reversed())
          .thenComparingLong(Item::age)
          .thenComparing(Item::file);

  private final int filesMax;
  private final Map<FileId, Item> items = new HashMap<>();
  private final Map<FileId, Postponed> pauses = new HashMap<>();
  private final TreeSet<Item> ready = new TreeSet<>(ORDER);
  private final TreeSet<Postponed> postponed =
      new TreeSet<>(
          (a, b) -> {
            // The difference, since a monotonic clock may start anywhere.
            int byTime = Long.signum(a.notBeforeNanos - b.notBeforeNanos);
            return byTime != 0 ? byTime : a.item.file.compareTo(b.item.file);
          });

  /** An empty queue for this many files, including paused ones. */
  public DrainQueue(int filesMax) {
    if (filesMax <= 0) throw new IllegalArgumentException("a queue of " + filesMax + " files");
    this.filesMax = filesMax;
  }

  /**
   * Adds a file, or improves the place of a queued one if the new item is better. A paused file
   * stays paused.
   *
   * @return false if there is no room
   */
  public boolean offer(Item item) {
    Item present = items.get(item.file);
    if (present == null) {
      // There may be more: postponed files always come back.
      if (items.size() >= filesMax) return false;
      items.put(item.file, item);
      ready.add(item);
      return true;
    }
    if (ORDER.compare(item, present) >= 0) return true;
    items.put(item.file, item);
    if (ready.remove(present)) {
      ready.add(item);
      return true;
    }
    Postponed pause = pauses.get(item.file);
    if (pause == null) throw new IllegalStateException(item.file + " is nowhere");
    postponed.remove(pause);
    pause(item, pause.notBeforeNanos);
    return true;
  }

  /** Returns a file whose drain failed; there is always room for it. */
  public void postpone(Item item, long notBeforeNanos) {
    remove(item.file);
    items.put(item.file, item);
    pause(item, notBeforeNanos);
  }

  private void pause(Item item, long notBeforeNanos) {
    Postponed pause = new Postponed(item, notBeforeNanos);
    pauses.put(item.file, pause);
    postponed.add(pause);
  }

  /** Forgets a file, such as one that was deleted; false if it was not there. */
  public boolean remove(FileId file) {
    Item item = items.remove(file);
    if (item == null) return false;
    ready.remove(item);
    Postponed pause = pauses.remove(file);
    if (pause != null) postponed.remove(pause);
    return true;
  }

  /** Takes out the file that comes next, or null if there is none at this time. */
  public @Nullable Item next(long nowNanos) {
    while (!postponed.isEmpty() && postponed.first().notBeforeNanos - nowNanos <= 0) {
      Item item = postponed.removeFirst().item;
      pauses.remove(item.file);
      ready.add(item);
    }
    Item next = ready.pollFirst();
    if (next != null) items.remove(next.file);
    return next;
  }

  /** When the first pause ends, or null if no file is paused. */
  public @Nullable Long nextNanos() {
    return postponed.isEmpty() ? null : postponed.first().notBeforeNanos;
  }

  public boolean contains(FileId file) {
    return items.containsKey(file);
  }

  /** How many files are in it. */
  public int size() {
    return items.size();
  }
}
