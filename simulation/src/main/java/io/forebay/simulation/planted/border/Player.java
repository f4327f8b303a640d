// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted.border;

import java.util.List;

/**
 * Plays seeds with rewritten classes. Implemented behind the border of a class loader that rewrites
 * and called in front of it, so that only types that both sides share may occur here.
 */
public interface Player {
  /** Which variant of a seed is played. */
  enum Course {
    /** Without draining, which would only take time. */
    UNDRAINED,
    /** With a backing store that fails occasionally. */
    DRAINED,
    /** With clients that take locks from each other. */
    LOCKED,
    /** With a user that has no rights to the files of the others, and no draining. */
    STRANGER,
    /** With write protection that refuses writes now and then, and no draining. */
    PROTECTED,
    /** With instances that end while a stage is due, and no draining. */
    ENDED,
    /** With three managers, of which each leads for a while, and no draining. */
    MANAGED,
    /** With a manager that loses its log and is brought back, and no draining. */
    RECOVERED
  }

  /**
   * A rule that did not hold.
   *
   * @param rule its number
   * @param sentence what was seen
   */
  record Noticed(String rule, String sentence) {}

  /** Plays one seed and returns the rules that did not hold. */
  List<Noticed> play(long seed, Course course);
}
