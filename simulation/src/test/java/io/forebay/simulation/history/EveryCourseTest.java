// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.history.ReferenceCluster.Mistake;
import io.forebay.simulation.history.ReferenceCluster.Scale;
import io.forebay.simulation.history.check.HistoryChecker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the checker with one that tries everything, on tiny histories, right and wrong ones. */
class EveryCourseTest {
  private static final int BYTES = 3;

  @Test
  void whatTheCheckerRejectsIsImpossible() {
    long seed = HistorySeeds.first("whatTheCheckerRejectsIsImpossible");
    int impossible = 0;
    int missed = 0;
    int tried = HistorySeeds.count(Integer.getInteger("forebay.histories", 1500));
    for (int i = 0; i < tried; i++) {
      Random random = new Random(seed + i);
      Scale scale = new Scale(2 + random.nextInt(2), 1, BYTES, 0, 6 + random.nextInt(5));
      History right = new ReferenceCluster(seed + i, scale, Mistake.NONE).run();
      History history = withOtherSights(right, random);
      boolean possible = EveryCourse.isPossible(history, BYTES);
      List<Violation> violations = HistoryChecker.check(history);
      if (possible) {
        assertThat(violations).as("-Dforebay.seed=%d", seed + i).isEmpty();
      } else {
        impossible++;
        if (violations.isEmpty()) {
          missed++;
          if (Boolean.getBoolean("dump")) {
            System.out.println("MISSED " + (seed + i));
            for (Operation o : history.operations())
              System.out.println(
                  "  "
                      + o.begun()
                      + ".."
                      + (o.ending() == null ? "-" : o.ended())
                      + " c"
                      + o.client()
                      + " "
                      + o.action()
                      + " "
                      + o.ending());
          }
        }
      }
    }
    System.out.printf("of %d histories %d were impossible, %d passed%n", tried, impossible, missed);
    assertThat(missed).isLessThanOrEqualTo(impossible / 10);
  }

  /** The same history, but some reads saw something else, or when they began is another time. */
  private static History withOtherSights(History history, Random random) {
    History changed = new History();
    Operation[] begins = new Operation[2 * history.operations().size()];
    Operation[] ends = new Operation[2 * history.operations().size()];
    List<Long> values = new ArrayList<>(List.of(Run.ZEROS));
    for (Operation operation : history.operations()) {
      begins[operation.begun()] = operation;
      if (operation.ending() != null) ends[operation.ended()] = operation;
      if (operation.action() instanceof Action.Write write) values.add(write.value());
    }
    Map<Integer, Operation> copies = new HashMap<>();
    for (int position = 0; position < begins.length; position++) {
      Operation begun = begins[position];
      if (begun != null) {
        copies.put(begun.number(), changed.begin(begun.client(), begun.action(), position));
      }
      Operation ended = ends[position];
      if (ended != null) {
        Ending ending = ended.ending();
        if (ending instanceof Ending.Saw && random.nextInt(4) == 0) {
          ending = sight(ended, values, random);
        }
        changed.end(copies.get(ended.number()), ending, position);
      }
    }
    return changed;
  }

  /** Something that was written where it is seen. */
  private static Ending sight(Operation operation, List<Long> values, Random random) {
    Action.Read read = (Action.Read) operation.action();
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < read.lengthBytes(); i++) {
      runs.add(new Run(read.offset() + i, 1, values.get(random.nextInt(values.size()))));
    }
    return new Ending.Saw(runs);
  }
}
