// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.profile.AccessCounts;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.CommonValue;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Known patterns of accesses are named as what they are, in bounded memory. */
class ProfilerTest {
  private static final long STRIPE_BYTES = 1 << 20;
  private static final int FILE = 7;

  private final AtomicLong clock = new AtomicLong();
  private final Profiler profiler =
      new Profiler(STRIPE_BYTES, false, file -> "/file-" + file, clock::incrementAndGet);
  private final int program = profiler.program(new ProgramName(1000, "flash"));

  private void access(Call call, long file, int process, long offset, long lengthBytes) {
    Profiler.Access access = new Profiler.Access(process, process, profiler.now());
    profiler.accessed(program, call, file, access, offset, lengthBytes);
  }

  private ProgramProfile counted() {
    List<ProgramProfile> all = profiler.counted("forebay://here/run");
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void ranksThatWriteOneFileInTurnAreStrided() {
    int ranks = 16;
    int bytes = 47_008;
    int rounds = 40;
    for (int round = 0; round < rounds; round++) {
      for (int rank = 0; rank < ranks; rank++) {
        access(Call.WRITE, FILE, 100 + rank, ((long) round * ranks + rank) * bytes, bytes);
      }
    }
    ProgramProfile profile = counted();
    AccessCounts writes = profile.writes();
    assertThat(writes.count()).isEqualTo(640);
    assertThat(writes.bytes()).isEqualTo(640L * bytes);
    assertThat(writes.of(Order.FIRST)).isEqualTo(ranks);
    // The second access of each rank shows a distance for the first time.
    assertThat(writes.of(Order.SEQUENTIAL)).isEqualTo(ranks);
    assertThat(writes.of(Order.STRIDED)).isEqualTo(16L * 38);
    assertThat(writes.sizes()).containsExactly(new CommonValue(bytes, 640));
    assertThat(writes.strides()).containsExactly(new CommonValue(16L * bytes, 16L * 39));
    assertThat(writes.pageUnaligned()).isEqualTo(640);
    assertThat(writes.buckets().get(16)).isEqualTo(640);
    FileProfile file = profile.files().get(0);
    assertThat(file.path()).isEqualTo("/file-7");
    assertThat(file.writers()).hasSize(ranks);
    assertThat(file.isShared()).isTrue();
    assertThat(profile.processes()).hasSize(ranks);
  }

  @Test
  void stripesThatAreTouchedInPartAreCounted() {
    int bytes = 1_000_000;
    for (int i = 0; i < 100; i++) access(Call.READ, FILE, 1, (long) i * bytes, bytes);
    AccessCounts reads = counted().reads();
    assertThat(reads.of(Order.CONSECUTIVE)).isEqualTo(99);
    // Only the first begins where a stripe does.
    assertThat(reads.stripeUnaligned()).isEqualTo(99);
    long crossing = 0;
    for (long i = 0; i < 100; i++) {
      if (i * bytes / STRIPE_BYTES != (i * bytes + bytes - 1) / STRIPE_BYTES) crossing++;
    }
    assertThat(reads.stripeCrossing()).isEqualTo(crossing).isGreaterThan(90);
    assertThat(counted().writes().count()).isZero();
  }

  @Test
  void wholeStripesAreAligned() {
    for (int i = 0; i < 10; i++) access(Call.WRITE, FILE, 1, i * 4L * STRIPE_BYTES, 4 << 20);
    AccessCounts writes = counted().writes();
    assertThat(writes.stripeUnaligned() + writes.stripeCrossing() + writes.pageUnaligned())
        .isZero();
  }

  @Test
  void randomOffsetsAreRandom() {
    SplittableRandom random = new SplittableRandom(TestSeed.next("ProfilerTest"));
    for (int i = 0; i < 4000; i++) {
      access(Call.READ, FILE, 1, random.nextLong(1 << 20) * 4096, 4096);
    }
    AccessCounts reads = counted().reads();
    assertThat(reads.of(Order.RANDOM)).isGreaterThan(3600);
    assertThat(reads.of(Order.STRIDED)).isZero();
  }

  @Test
  void aHeaderThatIsWrittenAgainAndAgainIsNoStride() {
    for (int i = 0; i < 100; i++) {
      access(Call.WRITE, FILE, 1, 0, 4096);
      access(Call.WRITE, FILE, 1, 8192, 4096);
    }
    AccessCounts writes = counted().writes();
    assertThat(writes.of(Order.STRIDED)).isZero();
    assertThat(writes.of(Order.RANDOM)).isGreaterThan(190);
  }

  @Test
  void nestedStridesAreStrides() {
    for (int plane = 0; plane < 20; plane++) {
      for (int row = 0; row < 8; row++) {
        access(Call.WRITE, FILE, 1, plane * 1_000_000L + row * 10_000L, 640);
      }
    }
    AccessCounts writes = counted().writes();
    assertThat(writes.of(Order.STRIDED)).isGreaterThanOrEqualTo(157);
    assertThat(writes.strides().get(0).value()).isEqualTo(10_000);
    assertThat(writes.strides().get(1).value()).isEqualTo(1_000_000 - 70_000);
  }

  @Test
  void callsThatEndOutOfOrderAreCountedInTheOrderOfTheirBeginnings() {
    for (int i = 0; i < 100; i += 4) {
      long start = profiler.now();
      clock.addAndGet(10);
      for (int each = 3; each >= 0; each--) {
        Profiler.Access access = new Profiler.Access(1, 1, start + each);
        profiler.accessed(program, Call.READ, FILE, access, (i + each) * 4096L, 4096);
      }
    }
    assertThat(counted().reads().of(Order.CONSECUTIVE)).isEqualTo(99);
  }

  /** As Linux does: the first request of a write ends with its page. */
  private static void cut(Profiler into, int number, long offset, long lengthBytes) {
    long first = Math.min(lengthBytes, 4096 - offset % 4096);
    Profiler.Access access = new Profiler.Access(1, 1, into.now());
    if (offset % 4096 == 0 || first == lengthBytes) {
      into.accessed(number, Call.WRITE, FILE, access, offset, lengthBytes);
      return;
    }
    into.accessed(number, Call.WRITE, FILE, access, offset, first);
    Profiler.Access next = new Profiler.Access(1, 1, into.now());
    into.accessed(number, Call.WRITE, FILE, next, offset + first, lengthBytes - first);
  }

  @Test
  void writesThatTheKernelHasCutAreWhole() {
    for (int bytes : List.of(47_008, 1000, 512, 1024, 4096, 100_000)) {
      Profiler cached = new Profiler(STRIPE_BYTES, true, file -> "", clock::incrementAndGet);
      int number = cached.program(new ProgramName(1, "dd"));
      for (int i = 0; i < 200; i++) cut(cached, number, 24 + (long) i * bytes, bytes);
      ProgramProfile profile = cached.counted("x").get(0);
      assertThat(profile.writes().bytes()).isEqualTo(200L * bytes);
      // The first one is not known to be cut.
      assertThat(profile.writes().count()).as("of %d", bytes).isBetween(200L, 202L);
      assertThat(profile.calls().count(Call.WRITE)).isEqualTo(profile.writes().count());
      assertThat(profile.writes().sizes().get(0).value()).isEqualTo(bytes);
      assertThat(profile.writes().of(Order.CONSECUTIVE)).isGreaterThanOrEqualTo(198);
    }
  }

  @Test
  void theLargestFilesAreKept() {
    SplittableRandom random = new SplittableRandom(TestSeed.next("ProfilerTest.theLargest"));
    for (int i = 0; i < 5000; i++) {
      access(Call.WRITE, 1000 + i, 1, 0, 100);
      access(Call.WRITE, 1 + random.nextInt(3), 1, i * 1000L, 1000);
    }
    ProgramProfile profile = counted();
    assertThat(profile.writes().count()).isEqualTo(10_000);
    assertThat(profile.files()).hasSize(ProgramCell.FILES_MAX);
    assertThat(profile.files().subList(0, 3))
        .extracting(FileProfile::number)
        .containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(profile.filesSeen()).isBetween(4750L, 5250L);
  }

  @Test
  void moreProgramsAndProcessesThanThereIsRoomForAreCountedTogether() {
    for (int i = 0; i < 3 * Characteriser.PROGRAMS_MAX; i++) {
      int each = profiler.program(new ProgramName(i, "program"));
      for (int process = 0; process < 50; process++) {
        Profiler.Access access = new Profiler.Access(process + 50 * i, 1, profiler.now());
        profiler.accessed(each, Call.WRITE, FILE, access, 0, 1);
        profiler.called(each, Call.SYNC, FILE, process + 50 * i, profiler.now());
      }
    }
    List<ProgramProfile> all = profiler.counted("x");
    assertThat(all).hasSize(Characteriser.PROGRAMS_MAX - 1);
    ProgramProfile others = all.get(all.size() - 1);
    assertThat(others.program()).isEqualTo(Profiler.OTHERS);
    assertThat(others.processes()).hasSize(ProgramProfile.PROCESSES_MAX);
    assertThat(others.files().get(0).writers()).hasSize(FileCell.PROCESSES_MAX);
    assertThat(all.stream().mapToLong(each -> each.writes().count()).sum()).isEqualTo(4800);
    assertThat(all.stream().mapToLong(each -> each.calls().count(Call.SYNC)).sum()).isEqualTo(4800);
  }

  @Test
  void timesAreThoseOfTheCalls() {
    long start = profiler.now();
    clock.addAndGet(999);
    profiler.called(program, Call.SYNC, FILE, 1, start);
    profiler.called(program, Call.UNLINK, 0, 1, profiler.now());
    assertThat(counted().calls().nanos(Call.SYNC)).isEqualTo(1000);
    assertThat(counted().calls().nanos(Call.Kind.METADATA)).isEqualTo(1);
    assertThat(counted().calls().count(Call.Kind.METADATA)).isEqualTo(1);
  }

  @Test
  void manyThreadsLoseNothing() throws InterruptedException {
    int threads = 6;
    int each = 20_000;
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int process = t;
      all.add(
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) access(Call.WRITE, process, process, i * 10L, 10);
              }));
    }
    for (Thread thread : all) thread.start();
    while (all.stream().anyMatch(Thread::isAlive)) {
      profiler.counted("x");
      Thread.sleep(1);
    }
    ProgramProfile profile = counted();
    assertThat(profile.writes().count()).isEqualTo((long) threads * each);
    assertThat(profile.writes().bytes()).isEqualTo(10L * threads * each);
    assertThat(profile.calls().count(Call.WRITE)).isEqualTo((long) threads * each);
  }
}
