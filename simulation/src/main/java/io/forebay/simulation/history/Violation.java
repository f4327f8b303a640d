// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import java.util.List;

/**
 * A rule that a history breaks.
 *
 * @param sentence what happened, with file and range or key, for people
 * @param operations those that together break the rule, in the order in which they began
 */
public record Violation(Rule rule, String sentence, List<Operation> operations) {
  public Violation {
    operations = operations.stream().distinct().sorted().toList();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(rule + ": " + sentence);
    for (Operation operation : operations) text.append("\n  ").append(operation.describe());
    return text.toString();
  }
}
