// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.store.disk.Faults;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogConsensusTest {
  private static final int STEPS_MAX = 20_000;

  /** Remembers the last commands it was given and how many there were. */
  private static final class Diary implements Consensus.Machine {
    final List<Integer> applied = new ArrayList<>();

    @Override
    public void apply(long index, Bytes command) {
      applied.add(Integer.parseInt(text(command)));
    }

    @Override
    public Bytes snapshot() {
      return bytes(applied.toString());
    }

    @Override
    public void restore(Bytes snapshot) {
      applied.clear();
      String inside = text(snapshot).substring(1, text(snapshot).length() - 1);
      if (inside.isEmpty()) return;
      for (String number : inside.split(", ", -1)) applied.add(Integer.parseInt(number));
    }
  }

  /** Processes on one log, one after another. */
  private static final class World implements Consensus.Leadership {
    final SimulatedLog log;
    final List<Integer> committed = new ArrayList<>();
    final List<String> outcomes = new ArrayList<>();
    SimulatedLog.Life life;
    Timers timers;
    Diary diary;
    boolean leading;
    int losses;
    private long now;

    World(long seed) throws Exception {
      log = new SimulatedLog(new SplittableRandom(seed));
      begin();
    }

    void begin() throws Exception {
      timers = new Timers(() -> now);
      life = log.open(() -> now, timers);
      diary = new Diary();
      leading = false;
      life.consensus().start(diary, this);
    }

    void propose(int command) {
      life.consensus()
          .propose(
              bytes(Integer.toString(command)),
              outcome -> {
                outcomes.add(outcome.getClass().getSimpleName());
                if (!(outcome instanceof Consensus.Outcome.Committed)) return;
                committed.add(command);
                assertThat(diary.applied.getLast()).isEqualTo(command);
              });
    }

    void step() {
      now += 1_000_000;
      life.consensus().poll();
      timers.runDue();
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) step();
    }

    void awaitLeading() {
      for (int i = 0; i < STEPS_MAX && !leading; i++) step();
      if (!leading) fail("does not lead");
    }

    void awaitOutcomes(int count) {
      for (int i = 0; i < STEPS_MAX && outcomes.size() < count; i++) step();
      assertThat(outcomes).hasSize(count);
    }

    @Override
    public void leading() {
      leading = true;
    }

    @Override
    public void lost(String reason) {
      leading = false;
      losses++;
    }
  }

  @Test
  void committedCommandsComeBackInOrder() throws Exception {
    World world = new World(1);
    world.awaitLeading();
    for (int i = 0; i < 20; i++) world.propose(i);
    assertThat(world.diary.applied).as("nothing counts before it is forced").isEmpty();
    world.awaitOutcomes(20);
    assertThat(world.outcomes).containsOnly("Committed");
    List<Integer> before = List.copyOf(world.diary.applied);
    assertThat(before).hasSize(20).isSorted();
    world.log.ssd.powerCut();
    world.begin();
    assertThat(world.diary.applied).isEqualTo(before);
    world.awaitLeading();
    world.propose(20);
    world.awaitOutcomes(21);
    assertThat(world.diary.applied).hasSize(21).isSorted();
  }

  /** Whatever moment it dies at: what was committed is there, in order, and nothing twice. */
  @Test
  void anyDeathKeepsWhatWasCommitted() throws Exception {
    long seed = SimulatedLog.seed("anyDeathKeepsWhatWasCommitted");
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 30; round++) {
      World world = new World(random.nextLong());
      // Often enough that it dies while it writes the log anew.
      world.log.surplusEntriesMax = 5 + random.nextInt(40);
      int next = 0;
      for (int life = 0; life < 8; life++) {
        if (random.nextInt(4) > 0) world.awaitLeading();
        for (int burst = random.nextInt(6); burst > 0; burst--) {
          for (int i = random.nextInt(80); i > 0; i--) world.propose(next++);
          world.steps(random.nextInt(30));
        }
        // What a process found counts only when it has been forced anew.
        List<Integer> applied = world.leading ? List.copyOf(world.diary.applied) : List.of();
        if (random.nextBoolean()) world.log.ssd.powerCut();
        else world.log.ssd.killProcess();
        world.begin();
        assertThat(world.diary.applied).containsAll(world.committed);
        assertThat(world.diary.applied.subList(0, applied.size())).isEqualTo(applied);
        assertThat(world.diary.applied).doesNotHaveDuplicates().isSorted();
      }
    }
  }

  @Test
  void aLongLogIsWrittenAnewAndItsHeadGoes() throws Exception {
    World world = new World(3);
    world.awaitLeading();
    int count = 5 * LogConsensus.SURPLUS_ENTRIES_MAX;
    for (int i = 0; i < count; i++) {
      world.propose(i);
      if (i % 16 == 15) world.awaitOutcomes(i + 1);
    }
    world.steps(200);
    assertThat(world.life.store().journalFirst(LogConsensus.JOURNAL))
        .isGreaterThan(3L * LogConsensus.SURPLUS_ENTRIES_MAX);
    world.log.ssd.powerCut();
    world.begin();
    assertThat(world.diary.applied).hasSize(count).isSorted();
    world.awaitLeading();
    world.propose(count);
    world.awaitOutcomes(count + 1);
    assertThat(world.diary.applied.getLast()).isEqualTo(count);
  }

  @Test
  void whatCannotBeForcedIsUnknownAndSettledLater() throws Exception {
    World world = new World(4);
    world.awaitLeading();
    world.propose(1);
    world.awaitOutcomes(1);
    world.log.ssd.setFaults(Faults.NONE.withForceError(1));
    world.propose(2);
    world.propose(3);
    world.awaitOutcomes(3);
    assertThat(world.outcomes).containsExactly("Committed", "Unknown", "Unknown");
    assertThat(world.leading).isFalse();
    assertThat(world.losses).isEqualTo(1);
    assertThat(world.diary.applied).containsExactly(1);
    world.propose(4);
    world.awaitOutcomes(4);
    assertThat(world.outcomes.getLast()).isEqualTo("Rejected");
    world.log.ssd.setFaults(Faults.NONE);
    world.awaitLeading();
    assertThat(world.diary.applied).containsExactly(1, 2, 3);
    world.propose(5);
    world.awaitOutcomes(5);
    world.log.ssd.powerCut();
    world.begin();
    assertThat(world.diary.applied).containsExactly(1, 2, 3, 5);
  }

  @Test
  void tooLongACommandIsRejected() throws Exception {
    World world = new World(5);
    world.awaitLeading();
    List<Consensus.Outcome> outcomes = new ArrayList<>();
    world.life.consensus().propose(Bytes.copyOf(new byte[100_000]), outcomes::add);
    assertThat(outcomes).as("never from within the call").isEmpty();
    world.step();
    assertThat(outcomes.getFirst().toString()).contains("does not fit");
  }

  @Test
  void aCommittedEntryThatIsLostIsSaid() throws Exception {
    World world = new World(6);
    world.awaitLeading();
    for (int i = 0; i < 50; i++) {
      world.propose(i);
      world.awaitOutcomes(i + 1);
    }
    int broken = 0;
    for (int i = 0; i < 40; i++) {
      world.log.ssd.killProcess();
      for (var file : world.log.ssd.list()) world.log.ssd.flipAnyBit(file.name());
      try {
        world.begin();
      } catch (BrokenLog expected) {
        broken++;
        break;
      }
      assertThat(world.diary.applied).isSorted().startsWith(0);
    }
    assertThat(broken).isEqualTo(1);
  }

  @Test
  void onlyALeaderMayPropose() throws Exception {
    World world = new World(7);
    world.propose(1);
    world.step();
    assertThat(world.outcomes).containsExactly("Rejected");
    assertThatThrownBy(() -> world.life.consensus().start(world.diary, world))
        .hasMessage("started already");
  }

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Bytes bytes) {
    return StandardCharsets.UTF_8.decode(bytes.asBuffer()).toString();
  }
}
