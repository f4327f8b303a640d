// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.file.Bound;
import io.forebay.simulation.history.file.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The known orders of changes. Along an order, no change is earlier than one before it nor later
 * than one after it, so every new order may narrow the bounds of many.
 */
final class Orders {
  private final OrderFindings findings;
  private final ArrayDeque<Change> narrowed = new ArrayDeque<>();
  private final List<Change> unexpected = new ArrayList<>();
  private boolean anyNarrowed;

  Orders(OrderFindings findings) {
    this.findings = findings;
  }

  /** Adds an order that holds without a read as evidence; {@link #propagate} must follow. */
  void always(Change first, Change second) {
    link(new Change.Order(first, second, null));
    narrowed.add(first);
    narrowed.add(second);
  }

  /** Adds an order that follows from a read; it is not stored if the bounds imply it. */
  void add(Change first, Change second, Operation read) {
    if (first.latest.position() < second.earliest.position()) return;
    List<Change.Order> contrary = path(second, first);
    if (contrary != null) {
      findings.contrary(first, second, read, contrary);
    } else if (path(first, second) == null) {
      link(new Change.Order(first, second, read));
      narrowed.add(first);
      narrowed.add(second);
      propagate();
    }
  }

  /** A change did not happen before a read began; false if it did. */
  boolean notBefore(Change change, Operation read, long value) {
    if (change.latest.position() < read.begun()) return false;
    if (change.narrowEarliest(Bound.begin(read, Bound.Why.NOT_YET, value))) {
      narrowed.add(change);
      propagate();
    }
    return true;
  }

  /** A change happened, although its result was unknown. */
  void happenedBefore(Change change, Bound bound) {
    if (!change.happened) unexpected.add(change);
    if (change.happenedBefore(bound)) {
      narrowed.add(change);
      propagate();
    }
  }

  /** Changes that turned out to have happened since this was last asked. */
  List<Change> takeUnexpected() {
    List<Change> taken = List.copyOf(unexpected);
    unexpected.clear();
    return taken;
  }

  /** Whether bounds were narrowed since this was last asked. */
  boolean takeNarrowed() {
    boolean any = anyNarrowed;
    anyNarrowed = false;
    return any;
  }

  void propagate() {
    while (!narrowed.isEmpty()) {
      Change change = narrowed.remove();
      if (change.earliest.position() > change.latest.position()) {
        findings.impossible(change);
        narrowed.clear();
        return;
      }
      for (Change.Order order : change.later) {
        note(order.second(), order.second().narrowEarliest(change.earliest.through(order)));
      }
      for (Change.Order order : change.earlier) {
        note(order.first(), order.first().narrowLatest(change.latest.through(order)));
      }
    }
  }

  private void note(Change change, boolean isNarrower) {
    if (!isNarrower) return;
    narrowed.add(change);
    anyNarrowed = true;
  }

  private static void link(Change.Order order) {
    order.first().later.add(order);
    order.second().earlier.add(order);
  }

  /** The evidence that one change comes before another, or null. */
  @Nullable List<Change.Order> path(Change from, Change to) {
    if (from.later.isEmpty() || to.earlier.isEmpty() || isBeside(from, to)) return null;
    Map<Change, Change.Order> reachedBy = new HashMap<>();
    ArrayDeque<Change> next = new ArrayDeque<>();
    next.add(from);
    while (!next.isEmpty()) {
      Change change = next.removeLast();
      for (Change.Order order : change.later) {
        Change second = order.second();
        if (isBeside(second, to) || reachedBy.putIfAbsent(second, order) != null) continue;
        if (second == to) return backwards(from, to, reachedBy);
        next.add(second);
      }
    }
    return null;
  }

  /** Whether the bounds alone exclude an order from one to the other. */
  private static boolean isBeside(Change change, Change to) {
    return change.earliest.position() > to.earliest.position()
        || change.latest.position() > to.latest.position();
  }

  private static List<Change.Order> backwards(
      Change from, Change to, Map<Change, Change.Order> reachedBy) {
    List<Change.Order> path = new ArrayList<>();
    Change at = to;
    while (at != from) {
      Change.Order order = reachedBy.get(at);
      if (order == null) throw new IllegalStateException("no way to " + at);
      path.add(order);
      at = order.first();
    }
    return path.reversed();
  }
}
