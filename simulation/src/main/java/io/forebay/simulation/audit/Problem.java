// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.simulation.history.Violation;

/**
 * A violation of a rule.
 *
 * @param rule the invariant (I1 to I5) or the rule of the protocol (P1 to P20) that is broken
 */
public record Problem(String rule, String sentence) {
  public static Problem of(Violation violation) {
    String rule =
        switch (violation.rule()) {
          case NEVER_WRITTEN, REFUSED_SEEN, UNPUBLISHED_SEEN -> "I2";
          case TORN_RECORD, PAIR_TORN -> "I3";
          case LOST_OWN_WRITE,
              STALE_READ,
              NOT_MONOTONIC,
              NO_ORDER,
              PAIR_NOT_LINEARIZABLE,
              PAIR_UNDECIDED ->
              "I1";
        };
    return new Problem(rule, violation.toString());
  }

  @Override
  public String toString() {
    return rule + ": " + sentence;
  }
}
