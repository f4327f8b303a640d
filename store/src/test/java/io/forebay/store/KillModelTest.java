// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static io.forebay.store.FaultyStore.FILE;
import static io.forebay.store.FaultyStore.SEGMENT;
import static io.forebay.store.FaultyStore.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records are written, moved, evicted and killed at random, and their process dies: what was killed
 * never comes back, and what was not is there. Few records and much moving, so that copies and
 * tombstones outlive each other in every order. {@code -Dforebay.kill.runs=N} for more runs.
 */
class KillModelTest {
  private static final int RUNS = Integer.getInteger("forebay.kill.runs", 250);
  private static final int STEPS = 150;
  private static final int TRACE_MAX = 300;
  private static final int HELD_MAX = 3;

  /** What is known of a record. */
  private static final class Known {
    final long sequence;
    boolean acknowledged;
    boolean mayGo;
    boolean killed;

    Known(long sequence) {
      this.sequence = sequence;
    }
  }

  private final List<Known> records = new ArrayList<>();
  private final List<Reservation> held = new ArrayList<>();
  private final List<ReadResult> reads = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private StoreConfig.Mode mode;
  private SplittableRandom random;
  private FaultyStore world;

  @ParameterizedTest
  @EnumSource
  void whatWasKilledStaysDead(StoreConfig.Mode mode) throws Exception {
    this.mode = mode;
    long seed = TestSeed.next("KillModelTest");
    int runs = TestSeed.runs(RUNS);
    for (int run = 0; run < runs; run++) {
      try {
        run(seed + run);
      } catch (Throwable failure) {
        throw new AssertionError(
            "-Dforebay.seed=%d in mode %s after %s"
                .formatted(seed + run, mode, String.join("; ", trace)),
            failure);
      }
    }
  }

  private void run(long seed) throws Exception {
    records.clear();
    held.clear();
    reads.clear();
    trace.clear();
    random = new SplittableRandom(seed);
    world = new FaultyStore(config(), random.nextLong());
    for (int step = 0; step < STEPS; step++) {
      step();
      check();
    }
  }

  private StoreConfig config() {
    return switch (mode) {
      case MEMORY -> StoreConfig.memory(SEGMENT, 10 * SEGMENT);
      case SSD -> StoreConfig.ssd(SEGMENT, 10 * SEGMENT);
      case HYBRID -> StoreConfig.hybrid(SEGMENT, 7 * SEGMENT, 10 * SEGMENT);
    };
  }

  private void step() throws Exception {
    int dice = random.nextInt(100);
    if (dice < 16) write();
    else if (dice < 24) endHeld();
    else if (dice < 34) kill();
    else if (dice < 42) clean();
    else if (dice < 50) trace("evict " + world.store.evict(1 + random.nextInt(3000)));
    else if (dice < 58) compact();
    else if (dice < 64) seal();
    else if (dice < 67) spill();
    else if (dice < 73) read();
    else if (dice < 90) poll();
    else if (dice < 97) settle();
    else crash();
  }

  private void check() {
    for (Known record : records) {
      if (record.killed) {
        assertThat(world.present(record.sequence)).as("%d was killed", record.sequence).isFalse();
      } else if (record.acknowledged && !record.mayGo) {
        assertThat(world.present(record.sequence)).as("%d is here", record.sequence).isTrue();
      }
    }
  }

  private Level level() {
    return mode != StoreConfig.Mode.MEMORY && random.nextInt(3) == 0 ? Level.FORCED : Level.KEPT;
  }

  private void write() {
    Known record = new Known(records.size());
    records.add(record);
    int bytes = 1 + random.nextInt(random.nextInt(3) == 0 ? 8000 : 300);
    RecordId id = new RecordId(SESSION, record.sequence);
    Reserve reserve = world.store.reserve(RecordHeader.data(id, FILE, 0, bytes), level());
    if (!(reserve instanceof Reserve.Reserved reserved)) return;
    held.add(reserved.reservation());
    trace("reserve " + record.sequence);
    if (held.size() > HELD_MAX || random.nextInt(3) > 0) commit(held.removeLast());
  }

  private void commit(Reservation reservation) {
    Known record = records.get((int) reservation.header().id().sequence());
    Commit commit =
        world.store.commit(
            reservation,
            null,
            answer -> record.acknowledged |= answer instanceof Waiter.Answer.Reached);
    record.acknowledged |= commit == Commit.DONE;
    trace("commit " + record.sequence + " " + commit);
  }

  private void endHeld() {
    if (held.isEmpty()) return;
    Reservation reservation = held.remove(random.nextInt(held.size()));
    if (random.nextInt(4) > 0) commit(reservation);
    else world.store.abandon(reservation);
  }

  /** Some neighbours, of which each may be in any state. */
  private List<Known> some() {
    if (records.isEmpty()) return List.of();
    int from = random.nextInt(records.size());
    int to = Math.min(records.size(), from + 1 + random.nextInt(4));
    return List.copyOf(records.subList(from, to));
  }

  private static List<Scope> scope(List<Known> some) {
    return List.of(new Scope.Records(SESSION, some.getFirst().sequence, some.getLast().sequence));
  }

  private void kill() {
    List<Known> some = some();
    if (some.isEmpty()) return;
    some.forEach(record -> record.mayGo = true);
    Commit commit =
        world.store.kill(
            scope(some),
            level(),
            answer -> {
              if (answer instanceof Waiter.Answer.Reached) killed(some);
            });
    if (commit == Commit.DONE) killed(some);
    trace("kill " + some.getFirst().sequence + " to " + some.getLast().sequence + " " + commit);
  }

  private static void killed(List<Known> some) {
    some.forEach(record -> record.killed = true);
  }

  private void clean() {
    List<Known> some = some();
    if (some.isEmpty()) return;
    some.forEach(record -> record.mayGo = true);
    Commit commit = world.store.markClean(random.nextInt(10), scope(some), level(), answer -> {});
    trace("clean " + some.getFirst().sequence + " to " + some.getLast().sequence + " " + commit);
  }

  private void compact() {
    trace("compact " + world.store.compactEmptiest());
  }

  private void seal() {
    world.store.seal();
    trace("seal");
  }

  private void spill() {
    if (mode != StoreConfig.Mode.MEMORY) trace("spill " + world.store.spillOldest());
  }

  /** Holds on to a record's bytes, or lets go. */
  private void read() {
    if (!reads.isEmpty() && random.nextBoolean()) {
      if (reads.removeFirst() instanceof ReadResult.Bytes bytes) bytes.slice().close();
      trace("read ends");
      return;
    }
    for (Known record : some()) {
      RecordId id = new RecordId(SESSION, record.sequence);
      int bytes = world.store.payloadBytes(id);
      if (bytes >= 0) world.store.read(id, 0, bytes, reads::add);
      trace("read " + record.sequence);
    }
  }

  private void poll() {
    int times = 1 + random.nextInt(3);
    world.poll(times);
    trace("poll " + times);
  }

  private void settle() {
    world.settle();
    trace("settle");
  }

  private void crash() throws Exception {
    trace("crash");
    held.clear();
    reads.clear();
    world.killProcess();
    for (Known record : records) record.acknowledged |= world.present(record.sequence);
  }

  private void trace(String what) {
    if (trace.size() == TRACE_MAX) trace.removeFirst();
    trace.add(what);
  }
}
