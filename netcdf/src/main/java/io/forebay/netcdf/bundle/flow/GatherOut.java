// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.Window;
import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands what this member holds to the aggregators: window after window in the same order on all
 * members, so that the first window that is not complete can always go on.
 */
final class GatherOut implements Part {
  private final Position position;
  private final Elements elements;
  private final Held held;
  private final SendRing ring;
  private final StepWriter writer;
  private final GatherIn gatherIn;
  private @Nullable List<Window> windows;
  private int round;
  private int windowsDone;

  /** Where it goes to: other members through the ring, or this one's own windows. */
  record Ways(SendRing ring, StepWriter writer, GatherIn gatherIn) {}

  GatherOut(Position position, Elements elements, Held held, Ways ways) {
    this.position = position;
    this.elements = elements;
    this.held = held;
    ring = ways.ring;
    writer = ways.writer;
    gatherIn = ways.gatherIn;
  }

  @Override
  public boolean advance() {
    boolean any = held.retire();
    any |= ring.retire();
    while (round < position.own().rounds() && held.of(round).isReady(round)) {
      if (windows == null) windows = position.own().windows(round);
      while (windowsDone < windows.size()) {
        if (!hand(windows.get(windowsDone))) return any;
        windowsDone++;
        any = true;
      }
      held.of(round).handedOut();
      windows = null;
      windowsDone = 0;
      round++;
      any = true;
    }
    any |= held.retire();
    return any;
  }

  /** Hands over what this member holds of a window; false if that has to wait. */
  private boolean hand(Window window) {
    GroupPlan own = position.own();
    long bytes = own.contributedBytes(window, position.member());
    if (bytes == 0) return true;
    if (window.aggregator() == position.member()) return handToItself(window, bytes);
    if (own.holdsShares()) return sendShares(window, bytes);
    MemorySegment message = heldPart(window, bytes);
    held.of(round).leaves(send(window, message));
    return true;
  }

  private Operation send(Window window, MemorySegment message) {
    int to = position.rankOf(window.aggregator());
    return position.ranks().postSend(to, Position.GATHER_TAG, message);
  }

  /** The whole strips of a window that this member holds. */
  private MemorySegment heldPart(Window window, long bytes) {
    GroupPlan own = position.own();
    int firstHeld = own.firstHeld(round, position.member());
    long start = own.stripBytes(firstHeld, Math.max(firstHeld, window.first()));
    return held.of(round).memory().asSlice(start, bytes);
  }

  private boolean handToItself(Window window, long bytes) {
    GroupPlan own = position.own();
    if (GatherIn.isHeldAlone(own, window)) {
      // Written from where it is, without a copy.
      held.of(round).leaves(writer.write(window, heldPart(window, bytes)));
      return true;
    }
    MemorySegment whole = gatherIn.memoryOf(window);
    if (whole == null) return false;
    if (own.holdsShares()) {
      placeShares(window, whole);
    } else {
      int firstOwn = Math.max(window.first(), own.firstHeld(round, position.member()));
      long at = own.stripBytes(window.first(), firstOwn);
      elements.copy(heldPart(window, bytes), whole.asSlice(at, bytes));
    }
    gatherIn.ownIsHere(window);
    return true;
  }

  private void placeShares(Window window, MemorySegment whole) {
    GroupPlan own = position.own();
    Range range = new Range(own, window.first(), window.end());
    for (int rank : own.sources(position.member())) {
      MemorySegment share = share(window, rank);
      if (share.byteSize() > 0) range.place(elements, rank, share, whole);
    }
  }

  /** The packed parts of a window's strips that one rank sent this member. */
  private MemorySegment share(Window window, int rank) {
    GroupPlan own = position.own();
    int first = own.firstStrip(round);
    int end = own.endStrip(round);
    long start = 0;
    for (int before : own.sources(position.member())) {
      if (before == rank) break;
      start += own.heldBytes(first, end, before);
    }
    start += own.heldBytes(first, window.first(), rank);
    return held.of(round)
        .memory()
        .asSlice(start, own.heldBytes(window.first(), window.end(), rank));
  }

  private boolean sendShares(Window window, long bytes) {
    MemorySegment message = ring.take(bytes);
    if (message == null) return false;
    long at = 0;
    for (int rank : position.own().sources(position.member())) {
      MemorySegment share = share(window, rank);
      elements.copy(share, message.asSlice(at, share.byteSize()));
      at += share.byteSize();
    }
    ring.sent(send(window, message));
    return true;
  }

  @Override
  public boolean isDone() {
    return round == position.own().rounds() && held.isFree() && ring.isEmpty();
  }

  @Override
  public void pending(List<Operation> operations) {
    held.pending(operations);
    ring.pending(operations);
  }
}
