// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import java.util.List;

/**
 * A rule that a history breaks.
 *
 * @param sentence a description, with file and range or key
 * @param operations the operations that together break the rule, in the order in which they began
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
