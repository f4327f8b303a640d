// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

import io.forebay.base.MonotonicClock;
import io.forebay.store.disk.Disk;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one tier: made ahead of need, handed out, taken back and handed out again. Where the
 * preferred place has no room for another slot, the next place is used from then on. Called by the
 * store's owner only.
 */
public final class SlotPool {
  /** Where slots can be made, and whether what stands there survives the process. */
  public record Place(Disk disk, boolean lasting, String description) {}

  /** Told when slots can no longer be made in a place, and again if that comes back. */
  public interface Listener {
    void fellBack(Place from, @Nullable Place to, String detail);
  }

  /**
   * The kind and number of slots.
   *
   * @param prefix the prefix of its slots' names
   * @param slotBytes how large each is
   * @param slotsMax the maximum number of slots: the tier's budget
   * @param ahead how many free slots to keep ready
   * @param mapped whether the slots are memory
   */
  public record Config(String prefix, int slotBytes, int slotsMax, int ahead, boolean mapped) {}

  private static final int CREATING_MAX = 2;

  /** How far a tier may exceed its budget when nothing in it can be moved otherwise. */
  private static final int LENT_MAX = 4;

  private static final long RETRY_NANOS = 1_000_000_000L;

  private final Config config;
  private final List<Place> places;
  private final MonotonicClock clock;
  private final Listener listener;
  private final ArrayDeque<Slot> ready = new ArrayDeque<>();

  /** Free slots that die with the process; used when no lasting one is free. */
  private final ArrayDeque<Slot> readyDying = new ArrayDeque<>();

  private int place;
  private int existing;
  private int existingDying;
  private int creating;
  private int retiring;
  private int nextName;
  private boolean failed;
  private boolean lending;
  private long retryAtNanos;

  public SlotPool(Config config, List<Place> places, MonotonicClock clock, Listener listener) {
    this.config = config;
    this.places = List.copyOf(places);
    this.clock = clock;
    this.listener = listener;
  }

  /** Adds a slot that was found on start; the caller returns it when it is free. */
  public void adopt(Slot slot) {
    existing++;
    nextName = Math.max(nextName, number(slot.name()) + 1);
  }

  /** Whether that file is a slot of this tier. */
  public boolean owns(String name) {
    return name.startsWith(config.prefix()) && number(name) >= 0;
  }

  /** A free slot, if there are more than those to be left for others; a lasting one if possible. */
  public @Nullable Slot take(int leave) {
    if (free() <= leave) return null;
    Slot slot = ready.poll();
    return slot != null ? slot : readyDying.poll();
  }

  /** A free slot that outlives the process, if as many others stay free. */
  public @Nullable Slot takeLasting(int leave) {
    return free() > leave ? ready.poll() : null;
  }

  /** Takes back the slot of a freed segment; deletes it if it exceeds the budget. */
  public void give(Slot slot) {
    if (surplus() > 0 && free() > 0) retire(slot, outcome -> {});
    else addFree(slot);
  }

  private void addFree(Slot slot) {
    (slot.lasting() ? ready : readyDying).add(slot);
  }

  /**
   * Asks for a slot beyond the budget. For when all are in use and none can be emptied without
   * another, as after several crashes in a row, each of which left segments that hold little.
   */
  public void lend() {
    lending = free() == 0 && existing < config.slotsMax() + LENT_MAX;
  }

  /**
   * Gives up a slot that cannot be trusted; another one may be made in its stead. One that cannot
   * even be deleted keeps its place in the budget.
   */
  public void retire(Slot slot, Disk.Completion completion) {
    retiring++;
    slot.disk()
        .delete(
            slot.name(),
            outcome -> {
              retiring--;
              if (outcome.succeeded()) {
                existing--;
                if (!slot.lasting()) existingDying--;
              }
              completion.completed(outcome);
            });
  }

  /** Makes slots ahead of need. */
  public void maintain() {
    if (failed && clock.nanos() - retryAtNanos < 0) return;
    while (wantsMore()) create();
    if (lending && free() == 0 && creating == 0) create();
    lending = false;
  }

  /** Whether free slots are being made or may yet be made. */
  public boolean preparing() {
    return lending || creating > 0 || (!failed && existing + creating < config.slotsMax());
  }

  public int free() {
    return ready.size() + readyDying.size();
  }

  public int slotsMax() {
    return config.slotsMax();
  }

  /** Slots that are not in use: free, or not made yet as far as there is room for more. */
  public int unused() {
    return free() + (failed ? 0 : Math.max(0, config.slotsMax() - existing));
  }

  public int existing() {
    return existing;
  }

  /** By how many slots the tier exceeds its budget, those left out that are being removed. */
  public int surplus() {
    return Math.max(0, existing - retiring - config.slotsMax());
  }

  /** Removes free slots beyond the budget, but for as many as are to stay free. */
  public void shrink(int keptFree) {
    while (surplus() > 0 && free() > keptFree) {
      Slot slot = readyDying.isEmpty() ? ready.poll() : readyDying.poll();
      if (slot != null) retire(slot, outcome -> {});
    }
  }

  /** Slots that die with the process. */
  public int existingDying() {
    return existingDying;
  }

  /** How many slots of the budget no place has room for, as far as was tried. */
  public int missing() {
    return failed ? Math.max(0, config.slotsMax() - existing) : 0;
  }

  private boolean wantsMore() {
    return creating < CREATING_MAX
        && existing + creating < config.slotsMax()
        && free() + creating < config.ahead();
  }

  private void create() {
    Place at = places.get(place);
    String name = "%s%06d".formatted(config.prefix(), nextName++);
    creating++;
    at.disk().create(name, config.slotBytes(), outcome -> created(at, name, outcome));
  }

  private void created(Place at, String name, Disk.Outcome outcome) {
    if (outcome instanceof Disk.Outcome.Failure failure) {
      creating--;
      failedAt(at, failure);
    } else if (config.mapped()) {
      at.disk().map(name, mapped -> mapped(at, name, mapped));
    } else {
      add(new Slot(at.disk(), name, at.lasting(), null));
    }
  }

  private void mapped(Place at, String name, Disk.Outcome outcome) {
    if (outcome instanceof Disk.Outcome.Failure failure) {
      creating--;
      at.disk().delete(name, ignored -> {});
      failedAt(at, failure);
    } else {
      add(new Slot(at.disk(), name, at.lasting(), at.disk().mapped(name)));
    }
  }

  private void add(Slot slot) {
    creating--;
    existing++;
    if (!slot.lasting()) existingDying++;
    failed = false;
    addFree(slot);
  }

  private void failedAt(Place at, Disk.Outcome.Failure failure) {
    // Slots that were asked for together may fail together.
    if (!places.get(place).equals(at)) return;
    boolean last = place == places.size() - 1;
    if (last) {
      if (!failed) listener.fellBack(at, null, failure.detail());
      failed = true;
      retryAtNanos = clock.nanos() + RETRY_NANOS;
    } else {
      place++;
      listener.fellBack(at, places.get(place), failure.detail());
    }
  }

  private int number(String name) {
    try {
      return Integer.parseInt(name.substring(config.prefix().length()));
    } catch (NumberFormatException notOurs) {
      return -1;
    }
  }
}
