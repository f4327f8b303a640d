// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.pair;

import io.forebay.simulation.history.file.Bound;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All states in which a pair can be at one time. */
final class PairStates {
  /** The maximum number of states followed at one end of an operation. */
  static final int STATES_MAX = 1 << 17;

  /** The maximum number of states that are compared with each other. */
  private static final int COMPARED_MAX = 1 << 10;

  /** The result of a step of the walk. */
  enum Step {
    POSSIBLE,
    IMPOSSIBLE,
    TOO_MANY
  }

  /**
   * A state.
   *
   * @param value the pair's value, or {@link PairOperation#ABSENT}
   * @param done which open operations have happened already, by their slots
   */
  private record State(long value, BigInteger done) {
    State with(int slot, long newValue) {
      return new State(newValue, done.setBit(slot));
    }

    State without(int slot) {
      return new State(value, done.clearBit(slot));
    }

    /** Whether one is as good as this but leaves more operations for later. */
    boolean isWorseThan(State other, BigInteger free) {
      return value == other.value
          && !done.equals(other.done)
          && done.andNot(free).equals(other.done.andNot(free))
          && other.done.andNot(done).signum() == 0;
    }
  }

  /** The operations that have begun and not ended, by slot. */
  private final TreeMap<Integer, PairOperation> open = new TreeMap<>();

  private Set<State> states =
      new LinkedHashSet<>(List.of(new State(PairOperation.ABSENT, BigInteger.ZERO)));

  /** The values of the last states, to explain why no state is left. */
  private final Set<Long> possible = new TreeSet<>();

  void begin(PairOperation operation) {
    int slot = 0;
    while (open.containsKey(slot)) slot++;
    open.put(slot, operation);
  }

  /** It has happened by now; one whose fate is unknown has happened by now or never will. */
  Step end(PairOperation operation) {
    int slot = slotOf(operation);
    Collection<State> after = after(slot);
    if (after == null) return Step.TOO_MANY;
    Set<State> next = new LinkedHashSet<>();
    for (State state : after) next.add(state.without(slot));
    if (!operation.isCertain()) {
      for (State state : states) next.add(state.without(slot));
    }
    open.remove(slot);
    if (next.isEmpty()) return Step.IMPOSSIBLE;
    states = withoutWorse(next);
    return Step.POSSIBLE;
  }

  /** The values that the pair could have when an operation turned out to be impossible. */
  String possible() {
    return possible.stream()
        .map(value -> value == PairOperation.ABSENT ? "absent" : Bound.tell(value))
        .collect(Collectors.joining(", "));
  }

  private int slotOf(PairOperation operation) {
    for (var entry : open.entrySet()) {
      if (entry.getValue().equals(operation)) return entry.getKey();
    }
    throw new IllegalStateException(operation + " is not open");
  }

  /** All states in which the operation of a slot has happened, or null if they are too many. */
  private @Nullable Collection<State> after(int slot) {
    possible.clear();
    List<State> reached = new ArrayList<>();
    Set<State> known = new LinkedHashSet<>(states);
    ArrayDeque<State> next = new ArrayDeque<>(states);
    while (!next.isEmpty()) {
      State state = next.remove();
      possible.add(state.value());
      if (state.done().testBit(slot)) {
        reached.add(state);
        continue;
      }
      for (State following : following(state, slot)) {
        if (!known.add(following)) continue;
        if (known.size() > STATES_MAX) return null;
        next.add(following);
      }
    }
    return reached;
  }

  /** The states after one more operation; irrelevant ones are left out. */
  private List<State> following(State state, int target) {
    List<State> following = new ArrayList<>();
    // Of interchangeable free operations, the one with the earliest deadline is best.
    int put = -1;
    int delete = -1;
    for (var entry : open.entrySet()) {
      int slot = entry.getKey();
      PairOperation operation = entry.getValue();
      if (state.done().testBit(slot)) continue;
      if (slot == target || operation.isCertain() || operation.isSeen()) {
        addFollowing(state, slot, target, following);
      } else if (operation.isPut()) {
        put = sooner(put, slot);
      } else {
        delete = sooner(delete, slot);
      }
    }
    if (put >= 0) addFollowing(state, put, target, following);
    if (delete >= 0) addFollowing(state, delete, target, following);
    return following;
  }

  private int sooner(int known, int slot) {
    if (known < 0) return slot;
    return operation(slot).tooLate() < operation(known).tooLate() ? slot : known;
  }

  private PairOperation operation(int slot) {
    PairOperation operation = open.get(slot);
    if (operation == null) throw new IllegalStateException("nothing open in slot " + slot);
    return operation;
  }

  private void addFollowing(State state, int slot, int target, List<State> following) {
    PairOperation operation = operation(slot);
    if (!operation.canFollow(state.value())) return;
    long value = operation.valueAfter(state.value());
    boolean free = !operation.isCertain() && slot != target;
    if (!free || isAwaited(state, value)) following.add(state.with(slot, value));
  }

  /**
   * Whether an operation waits for a value. One with an unknown fate need happen only right before
   * another that sees it: if none does, it may as well not have happened.
   */
  private boolean isAwaited(State state, long value) {
    for (var entry : open.entrySet()) {
      PairOperation operation = entry.getValue();
      if (operation.isCertain()
          && !state.done().testBit(entry.getKey())
          && !operation.canFollow(state.value())
          && operation.canFollow(value)) {
        return true;
      }
    }
    return false;
  }

  /** Leaves out states that differ from another only by having used up more free operations. */
  private Set<State> withoutWorse(Set<State> all) {
    if (all.size() > COMPARED_MAX) return all;
    BigInteger free = BigInteger.ZERO;
    for (var entry : open.entrySet()) {
      if (!entry.getValue().isCertain()) free = free.setBit(entry.getKey());
    }
    if (free.signum() == 0) return all;
    Set<State> kept = new LinkedHashSet<>();
    for (State state : all) {
      if (!isWorseThanAny(state, all, free)) kept.add(state);
    }
    return kept;
  }

  private static boolean isWorseThanAny(State state, Set<State> all, BigInteger free) {
    for (State other : all) {
      if (state.isWorseThan(other, free)) return true;
    }
    return false;
  }
}
