// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import org.jspecify.annotations.Nullable;

/**
 * A time before or after which a change must have happened, and its evidence.
 *
 * @param operation the operation whose begin or end is the time; null if there is no such bound
 * @param value what a read saw, if that is the evidence
 * @param orderedBy the read that shows the order of this change and another, if that is the
 *     evidence; null also if they always have that order
 */
public record Bound(
    int position,
    Why why,
    @Nullable Operation operation,
    long value,
    @Nullable Operation orderedBy) {
  /** The kind of evidence. */
  public enum Why {
    /** No evidence. */
    OPEN,
    /** The operation itself made the change. */
    ITSELF,
    /** A read saw it. */
    SEEN,
    /** A read saw the earlier content. */
    NOT_YET,
    /** The session of its client ended. */
    SESSION_ENDED,
    /** It comes before or after another change for which this holds. */
    ORDER
  }

  static final Bound NEVER = new Bound(Operation.NEVER, Why.OPEN, null, 0, null);

  public static Bound begin(Operation operation, Why why, long value) {
    return new Bound(operation.begun(), why, operation, value, null);
  }

  public static Bound end(Operation operation, Why why, long value) {
    return new Bound(operation.ended(), why, operation, value, null);
  }

  /** The same bound for a change with a known order to this one. */
  public Bound through(Change.Order order) {
    return new Bound(position, Why.ORDER, operation, value, order.read());
  }

  /** Why a change did not happen earlier than this. */
  public String tellEarliest() {
    return switch (why) {
      case NOT_YET -> "after the begin of " + operation + ", which saw " + tell(value);
      case ORDER -> tellOrder("after") + " that happened after the begin of " + operation;
      default -> "after the begin of " + operation;
    };
  }

  /** Why a change did not happen later than this. */
  public String tellLatest() {
    return switch (why) {
      case OPEN -> "at any time";
      case SEEN -> "before the end of " + operation + ", which saw " + tell(value);
      case SESSION_ENDED -> "before the end of its session in " + operation + ", or never";
      case ORDER -> tellOrder("before") + " that happened before the end of " + operation;
      default -> "before the end of " + operation;
    };
  }

  private String tellOrder(String preposition) {
    String another = preposition + " another change,";
    return orderedBy == null ? another : another + " as read " + orderedBy + " tells,";
  }

  public static String tell(long value) {
    if (value == Run.ZEROS) return "zeros";
    return value == Run.FOREIGN ? "bytes that no client wrote" : "value " + value;
  }
}
