// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory for packed messages, used again in the order in which they were packed. It bounds the
 * bytes of messages under way.
 */
final class SendRing {
  private static final class Slot {
    final long start;
    final long end;
    @Nullable Operation send;

    Slot(long start, long end) {
      this.start = start;
      this.end = end;
    }
  }

  private final MemorySegment memory;
  private final Deque<Slot> slots = new ArrayDeque<>();

  SendRing(MemorySegment memory) {
    this.memory = memory;
  }

  /** Room for a message, or null as long as there is none; {@link #sent} follows. */
  @Nullable MemorySegment take(long bytes) {
    retire();
    long start = freeStart(bytes);
    if (start < 0) return null;
    slots.add(new Slot(start, start + bytes));
    return memory.asSlice(start, bytes);
  }

  /** The message in the memory that was taken last is under way. */
  void sent(Operation send) {
    slots.getLast().send = send;
  }

  private long freeStart(long bytes) {
    if (slots.isEmpty()) return bytes <= memory.byteSize() ? 0 : -1;
    long oldest = slots.getFirst().start;
    long next = slots.getLast().end;
    boolean wrapped = slots.getLast().start < oldest;
    if (wrapped) return next + bytes <= oldest ? next : -1;
    if (next + bytes <= memory.byteSize()) return next;
    return bytes <= oldest ? 0 : -1;
  }

  /** Frees the memory of messages that have been sent; true if there were any. */
  boolean retire() {
    boolean any = false;
    while (!slots.isEmpty()) {
      Operation send = slots.getFirst().send;
      if (send == null || !send.isDone()) break;
      slots.removeFirst();
      any = true;
    }
    return any;
  }

  boolean isEmpty() {
    return slots.isEmpty();
  }

  /** Adds the message that is to be sent first, whose memory others wait for. */
  void pending(List<Operation> operations) {
    Slot first = slots.peekFirst();
    if (first != null && first.send != null) operations.add(first.send);
  }
}
