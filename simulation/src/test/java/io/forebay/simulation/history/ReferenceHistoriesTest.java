// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.history.ReferenceCluster.Mistake;
import io.forebay.simulation.history.ReferenceCluster.Scale;
import io.forebay.simulation.history.check.HistoryChecker;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Correct histories are accepted, always; histories with mistakes are rejected, mostly. */
class ReferenceHistoriesTest {
  private static final List<Scale> SCALES =
      List.of(
          new Scale(2, 1, 8, 1, 60),
          new Scale(3, 1, 16, 2, 200),
          new Scale(5, 2, 64, 3, 500),
          new Scale(8, 3, 200, 8, 1500));

  @Test
  void correctHistoriesAreAccepted() {
    long seed = HistorySeeds.first("correctHistoriesAreAccepted");
    for (int i = 0; i < HistorySeeds.count(Integer.getInteger("forebay.histories", 300)); i++) {
      for (Scale scale : SCALES) {
        History history = new ReferenceCluster(seed + i, scale, Mistake.NONE).run();
        assertThat(HistoryChecker.check(history))
            .as("-Dforebay.seed=%d at %s", seed + i, scale)
            .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = Mistake.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void mistakesAreFound(Mistake mistake) {
    long seed = HistorySeeds.first("mistakesAreFound " + mistake);
    int tried = HistorySeeds.count(40);
    int found = 0;
    Map<Rule, Integer> rules = new EnumMap<>(Rule.class);
    Map<Rule, String> examples = new TreeMap<>();
    for (int i = 0; i < tried; i++) {
      History history = new ReferenceCluster(seed + i, SCALES.get(2), mistake).run();
      List<Violation> violations = HistoryChecker.check(history);
      if (!violations.isEmpty()) found++;
      for (Violation violation : violations) {
        rules.merge(violation.rule(), 1, Integer::sum);
        examples.putIfAbsent(violation.rule(), violation.toString());
      }
    }
    System.out.println(mistake + " found in " + found + " of " + tried + " histories: " + rules);
    examples.values().forEach(System.out::println);
    // Some mistakes change nothing that is read, so one cannot ask for more.
    if (tried > 1) assertThat(found).isGreaterThan(tried / 4);
  }
}
