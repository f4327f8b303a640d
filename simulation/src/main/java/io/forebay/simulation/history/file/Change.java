// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic change of a file's published content. Its time lies between two bounds, which reads
 * narrow.
 */
public abstract sealed class Change permits Batch, Truncation {
  /** An order of two changes, and the read that shows it; no read if the order always holds. */
  public record Order(Change first, Change second, @Nullable Operation read) {}

  /** It can only have happened after this. */
  public Bound earliest = Bound.NEVER;

  /** And before this, if it happened. */
  public Bound latest = Bound.NEVER;

  /** Whether it certainly happened. */
  public boolean happened;

  /** Changes that come later. */
  public final List<Order> later = new ArrayList<>();

  /** Changes that come earlier. */
  public final List<Order> earlier = new ArrayList<>();

  /** The operation that asked for it first, if any did. */
  abstract @Nullable Operation asked();

  /** Whether it cannot have happened before the other. */
  public final boolean cannotPrecede(Change other) {
    return earliest.position() > other.latest.position();
  }

  /** It happened before the end of an operation. */
  public final boolean happenedBefore(Bound bound) {
    happened = true;
    return narrowLatest(bound);
  }

  public final boolean narrowLatest(Bound bound) {
    if (bound.position() >= latest.position()) return false;
    latest = bound;
    return true;
  }

  public final boolean narrowEarliest(Bound bound) {
    if (bound.position() <= earliest.position()) return false;
    earliest = bound;
    return true;
  }
}
