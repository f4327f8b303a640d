// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.drain.Seeds;
import io.forebay.drain.pace.ShuffleBudget.Grant;
import io.forebay.drain.pace.ShuffleBudget.Stream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShuffleBudgetTest {
  /** Writes of given lengths that fetch from given sources. */
  private record TestWrites(List<Integer> lengths, List<List<Integer>> from)
      implements ShuffleBudget.Writes {
    static TestWrites equal(int count, int lengthBytes, Integer... sources) {
      List<Integer> lengths = new ArrayList<>();
      List<List<Integer>> from = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        lengths.add(lengthBytes);
        from.add(List.of(sources));
      }
      return new TestWrites(lengths, from);
    }

    @Override
    public int count() {
      return lengths.size();
    }

    @Override
    public int lengthBytes(int write) {
      return lengths.get(write);
    }

    @Override
    public int[] sources(int write) {
      return from.get(write).stream().mapToInt(Integer::intValue).toArray();
    }
  }

  private static Grant granted(ShuffleBudget budget) {
    Grant grant = budget.next();
    assertThat(grant).isNotNull();
    return grant;
  }

  @Test
  void memoryIsFreeAgainWhenAWriteHasBeenMade() {
    ShuffleBudget budget = new ShuffleBudget(20, 9);
    Stream stream = budget.add(5, TestWrites.equal(3, 10, 1));
    Grant first = granted(budget);
    Grant second = granted(budget);
    assertThat(budget.next()).isNull();
    assertThat(budget.heldBytes()).isEqualTo(20);
    budget.fetched(first);
    assertThat(budget.next()).isNull();
    budget.released(first);
    Grant third = granted(budget);
    assertThat(List.of(first.write(), second.write(), third.write())).containsExactly(0, 1, 2);
    assertThat(budget.hasWaiting()).isFalse();
    assertThat(stream.isOver()).isFalse();
    budget.released(second);
    budget.released(third);
    assertThat(stream.isOver()).isTrue();
    assertThat(budget.heldBytes()).isZero();
    assertThatThrownBy(() -> budget.released(third)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> budget.fetched(third)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFileThatGrowsGoesOnAndGainsNothingByHavingWaited() {
    ShuffleBudget budget = new ShuffleBudget(1000, 99);
    List<Integer> lengths = new ArrayList<>(List.of(10));
    List<List<Integer>> from = new ArrayList<>(List.of(List.of(1)));
    Stream growing = budget.add(5, new TestWrites(lengths, from));
    granted(budget);
    assertThat(budget.hasWaiting()).isFalse();
    budget.grown(growing);
    assertThat(budget.hasWaiting()).as("it has not grown yet").isFalse();
    Stream other = budget.add(5, TestWrites.equal(9, 10, 1));
    for (int i = 0; i < 4; i++) assertThat(granted(budget).stream()).isSameAs(other);
    for (int i = 0; i < 4; i++) {
      lengths.add(10);
      from.add(List.of(1));
      budget.grown(growing);
      budget.grown(growing);
    }
    List<Stream> turns = new ArrayList<>();
    for (int i = 0; i < 4; i++) turns.add(granted(budget).stream());
    assertThat(turns).as("not all at once").contains(growing, growing, other);
  }

  @Test
  void aWriteLargerThanTheBudgetIsAlone() {
    ShuffleBudget budget = new ShuffleBudget(20, 9);
    budget.add(5, TestWrites.equal(1, 5, 1));
    budget.add(5, TestWrites.equal(1, 100, 1));
    budget.add(5, TestWrites.equal(1, 5, 1));
    Grant small = granted(budget);
    // The large one is next, and nobody overtakes it.
    assertThat(budget.next()).isNull();
    budget.released(small);
    assertThat(granted(budget).lengthBytes()).isEqualTo(100);
    assertThat(budget.next()).isNull();
  }

  @Test
  void aSourceServesOnlySoManyAtOnce() {
    ShuffleBudget budget = new ShuffleBudget(1000, 2);
    budget.add(5, TestWrites.equal(3, 10, 1));
    budget.add(5, TestWrites.equal(1, 10, 2));
    Grant first = granted(budget);
    assertThat(granted(budget).stream()).isNotSameAs(first.stream());
    assertThat(granted(budget).stream()).isSameAs(first.stream());
    assertThat(budget.next()).isNull();
    budget.fetched(first);
    assertThat(granted(budget).write()).isEqualTo(2);
  }

  @Test
  void whoNeedsSeveralSourcesIsNotPassedByForEver() {
    ShuffleBudget budget = new ShuffleBudget(1 << 30, 1);
    budget.add(5, TestWrites.equal(1_000, 10, 1));
    budget.add(5, TestWrites.equal(1_000, 10, 2));
    Grant one = granted(budget);
    Grant two = granted(budget);
    Stream both = budget.add(5, TestWrites.equal(1, 10, 1, 2));
    for (int i = 0; i < 100 && !both.isOver(); i++) {
      // Never are both free at the same time, unless one of them is kept free.
      Grant free = i % 2 == 0 ? one : two;
      budget.released(free);
      Grant next = budget.next();
      if (next == null) continue;
      if (next.stream() == both) return;
      if (i % 2 == 0) one = next;
      else two = next;
    }
    throw new AssertionError("passed by");
  }

  @Test
  void aStepOfPriorityIsTwiceTheShare() {
    ShuffleBudget budget = new ShuffleBudget(100, 100);
    Stream low = budget.add(4, TestWrites.equal(100_000, 10, 1));
    Stream high = budget.add(6, TestWrites.equal(100_000, 10, 1));
    Map<Stream, Integer> grants = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      Grant grant = granted(budget);
      grants.merge(grant.stream(), 1, Integer::sum);
      budget.released(grant);
    }
    assertThat(grants.get(high)).isBetween(795, 805);
    assertThat(grants.get(low)).isBetween(195, 205);
    // Who comes later has no claim to what others had before.
    Stream late = budget.add(6, TestWrites.equal(100_000, 10, 1));
    grants.clear();
    for (int i = 0; i < 900; i++) {
      Grant grant = granted(budget);
      grants.merge(grant.stream(), 1, Integer::sum);
      budget.released(grant);
    }
    assertThat(grants.get(late)).isBetween(390, 410);
    assertThat(grants.get(low)).isBetween(95, 105);
  }

  @Test
  void whatIsGivenUpIsNotGranted() {
    ShuffleBudget budget = new ShuffleBudget(100, 1);
    Stream stream = budget.add(5, TestWrites.equal(5, 10, 1));
    Grant grant = granted(budget);
    budget.giveUp(stream);
    assertThat(stream.isOver()).isFalse();
    budget.released(grant);
    assertThat(stream.isOver()).isTrue();
    assertThat(budget.next()).isNull();
    assertThat(budget.add(5, TestWrites.equal(0, 1)).isOver()).isTrue();
    assertThatThrownBy(() -> budget.add(10, TestWrites.equal(1, 1)))
        .hasMessageContaining("priority 10");
  }

  @Test
  void randomDrainsStayWithinBoundsAndEnd() {
    Seeds.run(300, random -> new Run(random).run());
  }

  private static final class Run {
    private final Random random;
    private final int bytesMax;
    private final int perSourceMax;
    private final ShuffleBudget budget;
    private final Map<Stream, Integer> next = new HashMap<>();
    private final Map<Stream, TestWrites> writes = new HashMap<>();
    private final List<Stream> streams = new ArrayList<>();
    private final List<Grant> fetching = new ArrayList<>();
    private final List<Grant> fetched = new ArrayList<>();

    Run(Random random) {
      this.random = random;
      bytesMax = 1 + random.nextInt(200);
      perSourceMax = 1 + random.nextInt(3);
      budget = new ShuffleBudget(bytesMax, perSourceMax);
    }

    void run() {
      for (int step = 0; step < 400; step++) {
        int dice = random.nextInt(10);
        if (dice == 0) add();
        else if (dice == 1 && random.nextInt(5) == 0) giveUp();
        else if (dice < 6) grant();
        else if (dice < 8) fetch();
        else release();
      }
      // Whatever was begun comes to its end if grants are used.
      int idle = 0;
      while (budget.hasWaiting() || !fetching.isEmpty() || !fetched.isEmpty()) {
        boolean any = grant();
        any |= fetch();
        any |= release();
        idle = any ? 0 : idle + 1;
        assertThat(idle).isLessThan(2);
      }
      assertThat(budget.heldBytes()).isZero();
      for (Stream stream : streams) assertThat(stream.isOver()).isTrue();
    }

    private void add() {
      List<Integer> lengths = new ArrayList<>();
      List<List<Integer>> from = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        lengths.add(1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 60));
        List<Integer> sources = new ArrayList<>();
        for (int source = 0; source < 5; source++) {
          if (random.nextInt(3) == 0) sources.add(source);
        }
        from.add(sources);
      }
      TestWrites all = new TestWrites(lengths, from);
      Stream stream = budget.add(random.nextInt(10), all);
      streams.add(stream);
      writes.put(stream, all);
      next.put(stream, 0);
    }

    private void giveUp() {
      if (!streams.isEmpty()) budget.giveUp(streams.get(random.nextInt(streams.size())));
    }

    private boolean grant() {
      Grant grant = budget.next();
      if (grant == null) return false;
      assertThat(grant.write()).isEqualTo(next.merge(grant.stream(), 1, Integer::sum) - 1);
      fetching.add(grant);
      long held = 0;
      for (Grant each : fetching) held += each.lengthBytes();
      for (Grant each : fetched) held += each.lengthBytes();
      assertThat(budget.heldBytes()).isEqualTo(held);
      if (fetching.size() + fetched.size() > 1) assertThat(held).isLessThanOrEqualTo(bytesMax);
      int[] perSource = new int[5];
      for (Grant each : fetching) {
        for (int source : writes.get(each.stream()).sources(each.write())) perSource[source]++;
      }
      for (int count : perSource) assertThat(count).isLessThanOrEqualTo(perSourceMax);
      return true;
    }

    private boolean fetch() {
      if (fetching.isEmpty()) return false;
      Grant grant = fetching.remove(random.nextInt(fetching.size()));
      budget.fetched(grant);
      fetched.add(grant);
      return true;
    }

    private boolean release() {
      boolean dropped = !fetching.isEmpty() && random.nextInt(10) == 0;
      List<Grant> from = fetched.isEmpty() || dropped ? fetching : fetched;
      if (from.isEmpty()) return false;
      budget.released(from.remove(random.nextInt(from.size())));
      return true;
    }
  }
}
