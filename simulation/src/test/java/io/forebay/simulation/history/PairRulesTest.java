// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.history.check.HistoryChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each rule about pairs, and a comparison with trying every order. */
class PairRulesTest {
  private static final Action GET = new Action.GetPair("k");
  private static final Action DELETE = new Action.DeletePair("k");

  private final Script script = new Script();

  private static Action put(long value) {
    return new Action.PutPair("k", value, 100);
  }

  private static Ending whole(long value) {
    return new Ending.Saw(List.of(new Run(0, 100, value)));
  }

  private void assertAccepted() {
    assertThat(script.check()).isEmpty();
  }

  private void assertBroken(Rule rule) {
    assertThat(script.check()).extracting(Violation::rule).containsExactly(rule);
  }

  @Test
  void valuesFollowEachOther() {
    script.did(1, GET, new Ending.NotThere()).did(1, put(10)).did(2, GET, whole(10));
    script.did(2, put(11)).did(1, GET, whole(11)).did(1, DELETE);
    script.did(2, GET, new Ending.NotThere()).did(2, DELETE, new Ending.NotThere());
    assertAccepted();
  }

  @Test
  void halfAValue() {
    script.did(1, put(10)).did(2, GET, new Ending.Saw(List.of(new Run(0, 50, 10))));
    assertBroken(Rule.PAIR_TORN);
  }

  @Test
  void halfAValueAndHalfAnother() {
    Ending mixture = new Ending.Saw(List.of(new Run(0, 50, 10), new Run(50, 50, 11)));
    script.did(1, put(10)).did(1, put(11)).did(2, GET, mixture);
    assertBroken(Rule.PAIR_TORN);
  }

  @Test
  void valueOfAnotherKey() {
    script.did(1, new Action.PutPair("other", 10, 100)).did(2, GET, whole(10));
    assertBroken(Rule.NEVER_WRITTEN);
  }

  @Test
  void staleValue() {
    script.did(1, put(10)).did(1, put(11)).did(2, GET, whole(10));
    assertBroken(Rule.PAIR_NOT_LINEARIZABLE);
    assertThat(script.check().getFirst().sentence()).contains("could have been value 11");
  }

  @Test
  void lostValue() {
    script.did(1, put(10)).did(2, GET, new Ending.NotThere());
    assertBroken(Rule.PAIR_NOT_LINEARIZABLE);
  }

  @Test
  void deletedTwice() {
    script.did(1, put(10)).did(1, DELETE).did(2, DELETE);
    assertBroken(Rule.PAIR_NOT_LINEARIZABLE);
  }

  @Test
  void putThatHappensLateHappensOnce() {
    script.unknown(1, put(10)).did(2, put(11)).did(2, GET, whole(11)).did(3, GET, whole(10));
    assertAccepted();
    script.did(2, put(12)).did(3, GET, whole(10));
    assertBroken(Rule.PAIR_NOT_LINEARIZABLE);
  }

  @Test
  void putThatHappensAfterTheEndOfItsSession() {
    script.begin(1, put(10));
    script.did(1, new Action.EndSession()).did(3, GET, new Ending.NotThere());
    assertAccepted();
    script.did(3, GET, whole(10));
    assertBroken(Rule.PAIR_NOT_LINEARIZABLE);
  }

  @Test
  void manyThatNobodyHeardOf() {
    for (int i = 0; i < 300; i++) {
      script.unknown(1, put(1000 + i)).unknown(2, DELETE);
      script.did(3, put(2000 + i)).did(3, GET, i % 3 == 0 ? whole(1000 + i) : whole(2000 + i));
      if (i % 5 == 2) script.did(3, DELETE).did(4, DELETE).did(4, GET, new Ending.NotThere());
    }
    assertAccepted();
  }

  @Test
  void agreesWithTryingEveryOrder() {
    long seed = HistorySeeds.first("agreesWithTryingEveryOrder");
    int possible = 0;
    int tried = HistorySeeds.count(5000);
    for (int i = 0; i < tried; i++) {
      History history = anything(new Random(seed + i));
      boolean expected = new EveryOrder(history).isPossible();
      if (expected) possible++;
      assertThat(HistoryChecker.check(history).isEmpty())
          .as("-Dforebay.seed=%d", seed + i)
          .isEqualTo(expected);
    }
    System.out.printf("of %d histories %d were possible%n", tried, possible);
  }

  /** Few operations that overlap anyhow and end anyhow. */
  private static History anything(Random random) {
    History history = new History();
    List<Operation> open = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    int operations = 3 + random.nextInt(5);
    int nanos = 0;
    while (operations > 0 || !open.isEmpty()) {
      nanos++;
      if (operations > 0 && random.nextInt(2) == 0) {
        operations--;
        int client = open.size() + 10 * operations;
        open.add(history.begin(client, anyAction(random, values), nanos));
      } else if (!open.isEmpty()) {
        Operation operation = open.remove(random.nextInt(open.size()));
        if (random.nextInt(6) == 0) {
          if (random.nextBoolean()) continue;
          Operation end = history.begin(operation.client(), new Action.EndSession(), nanos);
          history.end(end, new Ending.Done(), nanos);
        } else {
          history.end(operation, anyEnding(operation.action(), random, values), nanos);
        }
      }
    }
    return history;
  }

  private static Action anyAction(Random random, List<Long> values) {
    int kind = random.nextInt(10);
    if (kind < 5) return GET;
    if (kind < 7) return DELETE;
    values.add(values.size() + 1L);
    return put(values.getLast());
  }

  private static Ending anyEnding(Action action, Random random, List<Long> values) {
    if (action instanceof Action.PutPair) return new Ending.Done();
    boolean absent = values.isEmpty() || random.nextInt(3) == 0;
    if (absent) return new Ending.NotThere();
    if (action instanceof Action.DeletePair) return new Ending.Done();
    return whole(values.get(random.nextInt(values.size())));
  }

  /** Tries every order of operations that their times allow, with and without the uncertain. */
  private static final class EveryOrder {
    private final List<Operation> operations = new ArrayList<>();
    private final History history;

    EveryOrder(History history) {
      this.history = history;
      for (Operation operation : history.operations()) {
        boolean silent = operation.action() instanceof Action.GetPair && !isCertain(operation);
        if (operation.action() instanceof Action.OnPair && !silent) operations.add(operation);
      }
    }

    boolean isPossible() {
      return isPossible(0, 0);
    }

    private static boolean isCertain(Operation operation) {
      return operation.ending() != null;
    }

    private int last(Operation operation) {
      if (isCertain(operation)) return operation.ended();
      for (Operation end : history.operations()) {
        boolean same = end.client() == operation.client();
        if (same && end.action() instanceof Action.EndSession) return end.ended();
      }
      return Operation.NEVER;
    }

    private boolean isPossible(int done, long value) {
      int firstEnd = Operation.NEVER;
      boolean all = true;
      for (int i = 0; i < operations.size(); i++) {
        if ((done & (1 << i)) != 0 || !isCertain(operations.get(i))) continue;
        all = false;
        firstEnd = Math.min(firstEnd, last(operations.get(i)));
      }
      if (all) return true;
      for (int i = 0; i < operations.size(); i++) {
        Operation next = operations.get(i);
        if ((done & (1 << i)) != 0 || next.begun() > firstEnd) continue;
        // What can happen no more by the time that another began which is done already.
        if (isTooLate(next, done)) continue;
        long after = after(next, value);
        if (after >= 0 && isPossible(done | (1 << i), after)) return true;
      }
      return false;
    }

    private boolean isTooLate(Operation operation, int done) {
      for (int i = 0; i < operations.size(); i++) {
        if ((done & (1 << i)) != 0 && operations.get(i).begun() > last(operation)) return true;
      }
      return false;
    }

    private static long after(Operation operation, long value) {
      Ending ending = operation.ending();
      return switch (operation.action()) {
        case Action.PutPair put -> put.value();
        case Action.DeletePair delete when ending instanceof Ending.NotThere -> value == 0 ? 0 : -1;
        case Action.DeletePair delete when ending instanceof Ending.Done -> value != 0 ? 0 : -1;
        case Action.DeletePair delete -> 0;
        case Action.GetPair get when ending instanceof Ending.Saw(List<Run> runs) ->
            value == runs.getFirst().value() ? value : -1;
        default -> value == 0 ? 0 : -1;
      };
    }
  }
}
