// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import java.util.List;

/**
 * A method of the product and the replacement of its body. Classes are named from {@code
 * io.forebay} on, since most are not visible here.
 *
 * @param type such as {@code seat.put.HomePuts}, or {@code seat.put.HomePuts$Put}
 * @param method the only one of that name in its class
 */
public record MethodEdit(String type, String method, Body body) {
  private static final String ROOT = "io.forebay.";

  /** The behaviour of a rewritten method. */
  public sealed interface Body {
    /** Returns a constant: a {@link Boolean} or a {@link Long}. */
    record Returns(Object value) implements Body {}

    /** Does nothing; for methods that return nothing. */
    record Nothing() implements Body {}

    /** Returns the opposite, at most this many times; for methods that return a boolean. */
    record Negated() implements Body {}

    /** Passes its arguments, or the first of them, to another method of its class. */
    record Other(String method) implements Body {}

    /** First calls another method of its class that has no parameters. */
    record First(String method) implements Body {}

    /** The same at its end. */
    record Last(String method) implements Body {}

    /** Passes its arguments to a static method. */
    record Replaced(Replacement by) implements Body {}

    /** Returns what a static method does for its arguments, unless that is null. */
    record Preceded(Replacement by) implements Body {}

    /** Passes its result, and its arguments if the replacement wants them, to a static method. */
    record Result(Replacement through) implements Body {}

    /** Does nothing if a static method says so; for methods that return nothing. */
    record SkippedIf(Replacement says) implements Body {}
  }

  /**
   * A public static method of a class in {@code simulation.planted.body}.
   *
   * @param fields of the object whose method is rewritten, passed before its arguments; or {@link
   *     #THIS} for the object itself
   */
  public record Replacement(Class<?> type, String method, List<String> fields) {
    public static final String THIS = "this";

    @Override
    public String toString() {
      return type.getSimpleName() + "." + method;
    }
  }

  /** An edit of a class that is named from {@code io.forebay} on. */
  static MethodEdit of(String type, String method, Body body) {
    return new MethodEdit(ROOT + type, method, body);
  }

  @Override
  public String toString() {
    return type + "." + method;
  }
}
