// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Rule;
import io.forebay.simulation.history.Violation;
import io.forebay.simulation.history.file.Involved;
import io.forebay.simulation.history.file.Range;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects violations. Wrong bytes of one read in many places are one violation. */
public final class Findings {
  /** The maximum number of reported violations; one is enough to know that something is wrong. */
  static final int VIOLATIONS_MAX = 100;

  /** The description of a violation in a range of a file. */
  interface Sentence {
    String at(String range);
  }

  private record Key(Rule rule, int operation) {}

  private static final class Finding {
    final Rule rule;
    final Sentence sentence;
    final List<Operation> operations;
    final long from;
    long to;
    boolean elsewhereToo;

    Finding(Rule rule, Sentence sentence, List<Operation> operations, Range range) {
      this.rule = rule;
      this.sentence = sentence;
      this.operations = operations;
      this.from = range.from();
      this.to = range.to();
    }

    void alsoAt(Range range) {
      if (range.from() == to) to = range.to();
      else elsewhereToo = true;
    }

    Violation violation() {
      String more = elsewhereToo ? " and elsewhere" : "";
      return new Violation(rule, sentence.at(new Range(from, to) + more), operations);
    }
  }

  private final Map<Key, Finding> findings = new LinkedHashMap<>();

  public boolean isEmpty() {
    return findings.isEmpty();
  }

  /** Adds a violation by an operation in a range. */
  void add(Rule rule, Operation culprit, Range range, Sentence sentence, Involved involved) {
    Key key = new Key(rule, culprit.number());
    Finding known = findings.get(key);
    if (known != null) {
      known.alsoAt(range);
    } else if (findings.size() < VIOLATIONS_MAX) {
      findings.put(key, new Finding(rule, sentence, involved.and(culprit).operations(), range));
    }
  }

  public List<Violation> violations() {
    return findings.values().stream().map(Finding::violation).toList();
  }
}
