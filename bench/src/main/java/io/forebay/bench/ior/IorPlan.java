// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The plan of a run.
 *
 * @param iterations how often all of it is done ({@code -i})
 * @param delaySeconds pause between two of them ({@code -d})
 */
public record IorPlan(IorLayout layout, Set<IorOption> options, int iterations, int delaySeconds) {
  public static final int ITERATIONS_MAX = 100_000;

  public IorPlan {
    if (iterations < 1 || iterations > ITERATIONS_MAX) {
      throw new IllegalArgumentException(
          "number of repetitions (-i) must be from 1 to " + ITERATIONS_MAX);
    }
    if (delaySeconds < 0) {
      throw new IllegalArgumentException("delay between repetitions (-d) must not be negative");
    }
    EnumSet<IorOption> all = EnumSet.noneOf(IorOption.class);
    all.addAll(options);
    if (all.contains(IorOption.CHECK_WRITE)) all.add(IorOption.WRITE);
    if (all.contains(IorOption.CHECK_READ)) all.add(IorOption.READ);
    if (!all.contains(IorOption.WRITE) && !all.contains(IorOption.READ)) {
      all.addAll(List.of(IorOption.WRITE, IorOption.READ));
    }
    options = Set.copyOf(all);
  }

  /** Once, without a pause. */
  public static IorPlan once(IorLayout layout, IorOption... options) {
    return new IorPlan(layout, Set.of(options), 1, 0);
  }

  boolean has(IorOption option) {
    return options.contains(option);
  }

  /** The phases of each iteration, in this order. */
  List<Phase> phases() {
    int readShift = has(IorOption.REORDER) ? 1 : 0;
    List<Phase> phases = new ArrayList<>();
    if (has(IorOption.WRITE)) phases.add(new Phase(Phase.Kind.WRITE, 0));
    // Compared by a task that did not write it: the writer's own cache would prove nothing.
    if (has(IorOption.CHECK_WRITE)) phases.add(new Phase(Phase.Kind.CHECK, 1));
    if (has(IorOption.READ)) phases.add(new Phase(Phase.Kind.READ, readShift));
    if (has(IorOption.CHECK_READ)) phases.add(new Phase(Phase.Kind.CHECK, readShift));
    return phases;
  }
}
