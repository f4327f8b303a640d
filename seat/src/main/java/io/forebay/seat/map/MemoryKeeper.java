// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a {@link SeatMemory} in a journal of the seat's own log; the last entry counts. */
public final class MemoryKeeper {
  /** Groups' journals have the numbers behind it. */
  public static final long JOURNAL = 0;

  /** Entries are alone in this journal, so all have one epoch. */
  private static final long EPOCH = 1;

  private static final long RETRY_NANOS = 1_000_000_000L;

  /** How often a device may fail to read the memory before the seat starts as a new one. */
  private static final int LOADS_MAX = 30;

  private final Store store;
  private final Timers timers;
  private @Nullable SeatMemory written;
  private @Nullable SeatMemory wanted;
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean busy;
  private long notBeforeNanos;
  private int loads;

  MemoryKeeper(Store store, Timers timers) {
    this.store = store;
    this.timers = timers;
    this.notBeforeNanos = timers.nanos();
  }

  /** The stored memory, or null; before the loop runs. The receiver may be called later. */
  void load(MemoryReceiver receiver) {
    long last = store.journalLast(JOURNAL);
    if (last < 0) {
      receiver.loaded(null, null);
      return;
    }
    store.readJournal(
        JOURNAL,
        last,
        result -> {
          // A seat that starts as a new one has lost everything; a device may only be slow to come
          // up.
          if (result instanceof ReadResult.Failed && ++loads < LOADS_MAX) {
            timers.after(RETRY_NANOS, () -> load(receiver));
            return;
          }
          if (!(result instanceof ReadResult.Bytes bytes)) {
            receiver.loaded(null, "what the seat remembers of itself cannot be read: " + result);
            return;
          }
          try (var slice = bytes.slice()) {
            written = SeatMemory.read(slice.bytes());
            receiver.loaded(written, null);
          } catch (MalformedFields e) {
            receiver.loaded(
                null, "what the seat remembers of itself is damaged: " + e.getMessage());
          }
        });
  }

  /** Called once: with the memory, or with its defect; with neither if the seat is new. */
  interface MemoryReceiver {
    void loaded(@Nullable SeatMemory memory, @Nullable String problem);
  }

  /** Writes the memory down and then runs the action; a newer one may be written in its place. */
  void keep(SeatMemory memory, Runnable kept) {
    wanted = memory;
    waiting.add(kept);
    poll();
  }

  /** Tries again what found no room. */
  void poll() {
    SeatMemory memory = wanted;
    if (busy || memory == null || notBeforeNanos - timers.nanos() > 0) return;
    Level level = store.config().hasSsd() ? Level.FORCED : Level.KEPT;
    long index = Math.max(0, store.journalLast(JOURNAL)) + 1;
    List<Runnable> actions = List.copyOf(waiting);
    busy = true;
    Commit commit =
        store.journal(
            JOURNAL,
            EPOCH,
            index,
            memory.write(),
            level,
            answer -> {
              busy = false;
              if (answer instanceof Waiter.Answer.Reached) kept(memory, index, actions);
              else againLater();
            });
    switch (commit) {
      case DONE -> {
        busy = false;
        kept(memory, index, actions);
      }
      case PENDING -> {}
      case FULL -> busy = false;
      default -> throw new IllegalStateException("the seat's own journal answered " + commit);
    }
  }

  /** Not at once: each try that fails costs a segment until it is emptied. */
  private void againLater() {
    notBeforeNanos = timers.nanos() + RETRY_NANOS;
    timers.after(RETRY_NANOS, this::poll);
  }

  private void kept(SeatMemory memory, long index, List<Runnable> actions) {
    written = memory;
    if (memory.equals(wanted)) wanted = null;
    waiting.subList(0, actions.size()).clear();
    // Lost, the mark costs no more than room: the last entry counts in any case.
    store.kill(List.of(new Scope.JournalHead(JOURNAL, index)), Level.KEPT, answer -> {});
    for (Runnable action : actions) action.run();
    poll();
  }
}
