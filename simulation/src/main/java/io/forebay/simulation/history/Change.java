package io.forebay.simulation.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic change of a file's published content. When it happened lies between two bounds, which
 * are narrowed by what reads saw.
 */
abstract sealed class Change permits Batch, Truncation {
  /** That one change comes before another, and the read that tells so, unless it always does. */
  record Order(Change first, Change second, @Nullable Operation read) {}

  /** It can only have happened after this. */
  Bound earliest = Bound.NEVER;

  /** And before this, if it happened. */
  Bound latest = Bound.NEVER;

  /** Whether it did happen for certain. */
  boolean happened;

  /** Changes that come later. */
  final List<Order> later = new ArrayList<>();

  /** Changes that come earlier. */
  final List<Order> earlier = new ArrayList<>();

  /** The operation that asked for it first, if any did. */
  abstract @Nullable Operation asked();

  /** Whether it cannot have happened before the other. */
  final boolean cannotPrecede(Change other) {
    return earliest.position() > other.latest.position();
  }

  /** It happened before the end of an operation. */
  final boolean happenedBefore(Bound bound) {
    happened = true;
    return narrowLatest(bound);
  }

  final boolean narrowLatest(Bound bound) {
    if (bound.position() >= latest.position()) return false;
    latest = bound;
    return true;
  }

  final boolean narrowEarliest(Bound bound) {
    if (bound.position() <= earliest.position()) return false;
    earliest = bound;
    return true;
  }
}
