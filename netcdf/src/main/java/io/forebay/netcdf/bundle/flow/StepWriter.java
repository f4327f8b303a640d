// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.Strip;
import io.forebay.netcdf.bundle.plan.Window;
import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes windows in the order in which they come, one at a time, on a thread beside the rank's own.
 * After a failure the rest is dropped, so that other ranks go on.
 */
final class StepWriter implements Part {
  /** A window that is to be written. It is done when its memory is no longer needed. */
  static final class Ticket implements Operation {
    private final Window window;
    private final MemorySegment memory;
    private boolean done;

    private Ticket(Window window, MemorySegment memory) {
      this.window = window;
      this.memory = memory;
    }

    @Override
    public boolean isDone() {
      return done;
    }
  }

  private final Position position;
  private final StepFiles files;
  private final Deque<Ticket> queue = new ArrayDeque<>();
  private @Nullable Operation writing;

  StepWriter(Position position, StepFiles files) {
    this.position = position;
    this.files = files;
  }

  Ticket write(Window window, MemorySegment memory) {
    Ticket ticket = new Ticket(window, memory);
    queue.add(ticket);
    return ticket;
  }

  /** Whether windows wait for the files to exist. */
  boolean awaitsFiles() {
    return !queue.isEmpty() && !files.areOpen();
  }

  boolean isWriting() {
    return writing != null;
  }

  @Override
  public boolean advance() {
    boolean any = false;
    if (writing != null && writing.isDone()) {
      writing = null;
      queue.removeFirst().done = true;
      any = true;
    }
    if (writing == null && !queue.isEmpty() && files.areOpen()) {
      Ticket ticket = queue.getFirst();
      writing = position.ranks().postTask(() -> writeAll(ticket));
      any = true;
    }
    return any;
  }

  /** Writes the strips of a window, as many at a time as follow one another in a file. */
  private void writeAll(Ticket ticket) {
    GroupPlan own = position.own();
    long at = 0;
    int first = ticket.window.first();
    while (first < ticket.window.end()) {
      int end = first + 1;
      while (end < ticket.window.end() && own.strip(end - 1).isContinuedBy(own.strip(end))) end++;
      long bytes = own.stripBytes(first, end);
      Strip strip = own.strip(first);
      files.write(
          strip.bundle(), strip.variable(), strip.firstElement(), ticket.memory.asSlice(at, bytes));
      at += bytes;
      first = end;
    }
  }

  @Override
  public boolean isDone() {
    return queue.isEmpty();
  }

  @Override
  public void pending(List<Operation> operations) {
    if (writing != null) operations.add(writing);
  }
}
