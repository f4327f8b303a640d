// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.store.Store;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SavedLogTest {
  private long now;

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private static SimulatedLog log(long seed) {
    return new SimulatedLog(new SplittableRandom(seed));
  }

  /** The disk takes time. */
  private long passing() {
    now += 1000;
    return now;
  }

  private static void write(Store store, long index, LogEntry entry) {
    for (int i = 0; i < 100_000; i++) {
      Commit commit =
          store.journal(LogConsensus.JOURNAL, 1, index, entry.encode(), Level.KEPT, answer -> {});
      if (commit != Commit.FULL) return;
      store.poll();
    }
    fail("no room");
  }

  @Test
  void theBeginningUpToAGapIsSaved() throws Exception {
    Store store = log(1).store(this::passing);
    for (int i = 0; i < 5; i++) {
      if (i != 3) write(store, i, new LogEntry(i, 0, 0, bytes("c" + i)));
    }
    SavedLog saved = SavedLog.read(store);
    assertThat(saved.snapshot()).isNull();
    assertThat(saved.commands()).containsExactly(bytes("c0"), bytes("c1"), bytes("c2"));
    assertThat(saved.complete()).as("entry 4 says that 3 was safe").isFalse();
  }

  @Test
  void aLogThatLacksNothingIsComplete() throws Exception {
    Store store = log(2).store(this::passing);
    write(store, 7, new LogEntry(0, 0, 1, bytes("state")));
    write(store, 8, new LogEntry(8, 0, 0, bytes("c8")));
    SavedLog saved = SavedLog.read(store);
    assertThat(saved.snapshot()).isEqualTo(bytes("state"));
    assertThat(saved.commands()).containsExactly(bytes("c8"));
    assertThat(saved.complete()).isTrue();
  }

  @Test
  void aLogIsBegunWithAStateOfManyParts() throws Exception {
    SimulatedLog log = log(3);
    Bytes state = Bytes.copyOf(new byte[200_000]);
    SavedLog.begin(log.store(this::passing), state);
    log.ssd.powerCut();
    List<Bytes> restored = new ArrayList<>();
    Timers timers = new Timers(this::passing);
    LogConsensus consensus = log.open(this::passing, timers).consensus();
    List<Bytes> applied = new ArrayList<>();
    boolean[] leads = new boolean[1];
    consensus.start(
        new Consensus.Machine() {
          @Override
          public void apply(long index, Bytes command) {
            applied.add(command);
          }

          @Override
          public Bytes snapshot() {
            return state;
          }

          @Override
          public void restore(Bytes snapshot) {
            restored.add(snapshot);
          }
        },
        new Consensus.Leadership() {
          @Override
          public void leading() {
            leads[0] = true;
          }

          @Override
          public void lost(String reason) {}
        });
    assertThat(restored).containsExactly(state);
    for (int i = 0; i < 1000 && applied.isEmpty(); i++) {
      now += 1_000_000;
      consensus.poll();
      timers.runDue();
      if (leads[0] && i == 500) consensus.propose(bytes("next"), outcome -> {});
    }
    assertThat(applied).containsExactly(bytes("next"));
  }
}
