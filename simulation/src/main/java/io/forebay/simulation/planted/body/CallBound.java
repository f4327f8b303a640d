// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted.body;

/**
 * Bounds how often a negated method is called in one seed: a negated rule may make a core loop
 * forever. Each loader that rewrites has a class of its own, and plays in one thread.
 */
public final class CallBound {
  /** More calls than any seed makes of a method that keeps a rule. */
  private static final int CALLS_MAX = 5_000_000;

  private static int calls;

  private CallBound() {}

  /** A seed begins. */
  static void reset() {
    calls = 0;
  }

  /** Called by each negated method. */
  public static void count() {
    if (++calls > CALLS_MAX) {
      throw new IllegalStateException("a negated rule was asked " + CALLS_MAX + " times");
    }
  }
}
