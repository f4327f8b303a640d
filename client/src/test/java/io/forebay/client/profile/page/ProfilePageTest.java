// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Json;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.client.profile.count.Profiler;
import io.forebay.testing.TestSeed;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is said of known patterns, and which advice they get: each rule applies to one at least. */
class ProfilePageTest {
  private static final int STRIPE_BYTES = 8 << 20;
  private static final long MILLI = 1_000_000;

  private final AtomicLong clock = new AtomicLong();
  private final Profiler profiler =
      new Profiler(STRIPE_BYTES, false, file -> "/run/file-" + file, clock::get);
  private final int program = profiler.program(new ProgramName(1000, "flash"));

  private void access(Call call, long file, int process, long offset, long lengthBytes) {
    Profiler.Access access = new Profiler.Access(process, process, profiler.now());
    clock.addAndGet(MILLI);
    profiler.accessed(program, call, file, access, offset, lengthBytes);
  }

  private void call(Call call, long file, long millis) {
    long start = profiler.now();
    clock.addAndGet(millis * MILLI);
    profiler.called(program, call, file, 1, start);
  }

  private void write(long file, int process, long offset, long lengthBytes) {
    access(Call.WRITE, file, process, offset, lengthBytes);
  }

  private ProgramProfile profile() {
    ProgramProfile profile = profiler.counted("forebay://here/run").get(0);
    List<String> lines = ProfilePage.lines(profile);
    assertThat(lines).allMatch(line -> line.length() <= ProfilePage.WIDTH);
    assertThat(Json.write(ProfileJson.of(profile))).contains("\"program\":\"flash\"");
    return profile;
  }

  private List<String> words() {
    return Sentences.of(profile());
  }

  private List<Advice> advice() {
    return Advice.of(profile());
  }

  private void stridedByRanks() {
    int bytes = 47_008;
    for (int round = 0; round < 38; round++) {
      for (int rank = 0; rank < 16; rank++) {
        write(1, 100 + rank, 96 + ((long) round * 16 + rank) * bytes, bytes);
      }
    }
    for (int i = 0; i < 32; i++) write(1, 100, i * 3L, 96);
  }

  @Test
  void ranksThatWriteSmallPiecesInTurn() {
    stridedByRanks();
    assertThat(words())
        .containsExactly(
            "flash of user 1000: 16 processes, 1 file; 27.2 MiB written and 0 B read in 640 ms of"
                + " calls.",
            "95 % of the 640 writes are 47,008 bytes, unaligned, strided into one shared file by 16"
                + " processes.",
            "100 % of the time of all calls is in write: 640 calls, 1.00 ms each.");
    assertThat(advice()).containsExactly(Advice.COLLECTIVE_BUFFERING, Advice.LOG_DRIVER);
  }

  @Test
  void thePageHasTablesAndHistograms() {
    stridedByRanks();
    call(Call.SYNC, 1, 10);
    assertThat(ProfilePage.lines(profile()))
        .contains(
            "call                    count         time         each      share",
            "write                     640       640 ms      1.00 ms       98 %",
            "sync                        1      10.0 ms      10.0 ms        1 %",
            "strided                               576            0",
            "32 KiB              608          0  " + "W".repeat(30),
            "64 B                 32          0  WW",
            "                             608 x 47,008 bytes                               ",
            "/run/file-1                              27.2 MiB        0 B       16        0      0"
                + "      1");
  }

  @Test
  void oneProcessThatWritesInARow() {
    for (int i = 0; i < 500; i++) write(1, 1, i * 512L, 512);
    assertThat(words().get(1))
        .isEqualTo("100 % of the 500 writes are 512 bytes, unaligned, consecutive into one file.");
    assertThat(advice()).containsExactly(Advice.LARGER_WRITES);
  }

  @Test
  void alignedWholeStripesNeedNothing() {
    for (int i = 0; i < 10; i++) {
      for (int rank = 0; rank < 4; rank++) {
        write(1, rank, (i * 4L + rank) * STRIPE_BYTES, STRIPE_BYTES);
      }
    }
    assertThat(words().get(1))
        .isEqualTo(
            "100 % of the 40 writes are 8 MiB, aligned to 4 KiB, strided into one shared file by 4"
                + " processes.");
    assertThat(advice()).isEmpty();
  }

  @Test
  void largeAccessesAcrossStripes() {
    for (int i = 0; i < 20; i++) access(Call.READ, 1, 1, 1000 + i * 8_000_000L, 8_000_000);
    assertThat(words().get(1))
        .isEqualTo(
            "100 % of the 20 reads are 8,000,000 bytes, unaligned, across stripes of 8 MiB,"
                + " consecutive from one file.");
    assertThat(advice()).containsExactly(Advice.STRIPES);
  }

  @Test
  void smallRandomReads() {
    SplittableRandom random = new SplittableRandom(TestSeed.next("ProfilePageTest"));
    for (int i = 0; i < 1000; i++) {
      access(Call.READ, 1, 1, random.nextLong(1L << 32), 100 + random.nextInt(8000));
    }
    assertThat(words().get(1))
        .startsWith("The 1,000 reads are from ")
        .endsWith(" to 8 KiB, unaligned, random from one file.");
    assertThat(advice()).containsExactly(Advice.STAGE_IN);
  }

  @Test
  void manySmallFiles() {
    for (int i = 1; i <= 300; i++) {
      call(Call.CREATE, i, 2);
      write(i, 1, 0, 4096);
    }
    assertThat(words().get(1))
        .startsWith("100 % of the 300 writes are 4 KiB, aligned to 4 KiB, one for each file")
        .endsWith("into about " + profile().filesSeen() + " files.");
    assertThat(advice()).containsExactly(Advice.PACKS, Advice.FEWER_NAMES);
  }

  @Test
  void aDatabaseThatForcesEachChange() {
    for (int i = 0; i < 100; i++) {
      write(1, 1, 0, 4096);
      write(1, 1, 8192, 4096);
      call(Call.SYNC, 1, 200);
    }
    assertThat(words().get(2))
        .isEqualTo("99 % of the time of all calls is in sync: 100 calls, 200 ms each.");
    assertThat(advice()).containsExactly(Advice.FEWER_SYNCS);
  }

  @Test
  void severalLargeFilesByAll() {
    for (int file = 1; file <= 5; file++) {
      for (int i = 0; i < 8; i++) write(file, i % 4, i * 4L * STRIPE_BYTES, 4 * STRIPE_BYTES);
    }
    assertThat(words().get(1)).contains("into 5 shared files by 4 processes");
    assertThat(advice()).containsExactly(Advice.BUNDLES);
  }

  @Test
  void eachRuleHasItsWords() {
    for (Advice each : Advice.values()) {
      assertThat(each.word()).matches("[a-z]+(-[a-z]+)*");
      assertThat(each.text()).endsWith(".");
    }
  }
}
