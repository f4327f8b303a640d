// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What this member holds of one round, until its aggregators have it. */
final class HeldRound {
  enum State {
    /** No round is in the memory. */
    FREE,
    /** Messages of the round arrive. */
    FILLING,
    /** All of the round is here; parts of it may be on their way to aggregators. */
    READY
  }

  private final MemorySegment memory;
  private final List<Operation> leaving = new ArrayList<>();
  private State state = State.FREE;
  private int round = -1;
  private boolean isHandedOut;

  HeldRound(MemorySegment memory) {
    this.memory = memory;
  }

  MemorySegment memory() {
    return memory;
  }

  boolean isFree() {
    return state == State.FREE;
  }

  void begin(int newRound) {
    state = State.FILLING;
    round = newRound;
    isHandedOut = false;
  }

  void complete() {
    state = State.READY;
  }

  boolean isReady(int wanted) {
    return state == State.READY && round == wanted;
  }

  /** A part of the memory is in use until this ends. */
  void leaves(Operation operation) {
    leaving.add(operation);
  }

  /** No further parts leave. */
  void handedOut() {
    isHandedOut = true;
  }

  /** Frees the memory when all parts have left it; true if that is now. */
  boolean retire() {
    leaving.removeIf(Operation::isDone);
    if (state != State.READY || !isHandedOut || !leaving.isEmpty()) return false;
    state = State.FREE;
    return true;
  }

  /** Adds messages; of writes the writer knows. */
  void pending(List<Operation> operations) {
    for (Operation operation : leaving) {
      if (!(operation instanceof StepWriter.Ticket)) operations.add(operation);
    }
  }
}
