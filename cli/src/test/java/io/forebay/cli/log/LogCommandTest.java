// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.cli.CommandOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code forebay log} shows of a log with a bit of everything in it. */
@Timeout(120)
class LogCommandTest {
  private static final int SEGMENT = 64 * 1024;
  private static final int RECORD_BYTES = 5000;
  private static final int RECORDS = 60;
  private static final FileId FILE = new FileId(1, 7);
  private static final StoreConfig CONFIG = StoreConfig.hybrid(SEGMENT, 8 * SEGMENT, 40 * SEGMENT);

  @TempDir Path temporary;
  private Path directory;

  @BeforeEach
  void nameDirectory() {
    directory = temporary.resolve("seat");
  }

  private LogDirectory open() throws LogUnavailable, IOException {
    return LogDirectory.open(
        Options.create(directory, CONFIG).withMemoryRoot(temporary),
        MonotonicClock.system(),
        new SplittableRandom(System.nanoTime()),
        StoreEvents.NONE,
        () -> {});
  }

  /** A log with spilled, dead, clean and void records; 50 of 60 records count. */
  private void makeLog() throws LogUnavailable, IOException {
    try (LogDirectory log = open()) {
      Store store = log.store();
      for (int i = 0; i < RECORDS; i++) put(store, i, FILE);
      put(store, RECORDS, new FileId(2, 1));
      store.seal();
      settle(store);
      assertThat(store.spillOldest()).isTrue();
      settle(store);
      store.kill(List.of(new Scope.Records(9, 0, 9)), Level.KEPT, answer -> {});
      store.markClean(1, List.of(new Scope.Records(9, 20, 29)), Level.KEPT, answer -> {});
      store.journal(3, 1, 1, ByteBuffer.allocate(100), Level.KEPT, answer -> {});
      assertThat(store.reserve(header(99, FILE), Level.KEPT)).isInstanceOf(Reserve.Reserved.class);
    }
  }

  private static RecordHeader header(long sequence, FileId file) {
    return RecordHeader.data(
        new RecordId(9, sequence), file, sequence * RECORD_BYTES, RECORD_BYTES);
  }

  private static void put(Store store, long sequence, FileId file) {
    Reserve reserve = store.reserve(header(sequence, file), Level.KEPT);
    while (reserve instanceof Reserve.Full) {
      store.poll();
      LockSupport.parkNanos(100_000);
      reserve = store.reserve(header(sequence, file), Level.KEPT);
    }
    Commit commit = store.commit(((Reserve.Reserved) reserve).reservation(), null, answer -> {});
    assertThat(commit).isEqualTo(Commit.DONE);
  }

  private static void settle(Store store) {
    while (store.poll()) LockSupport.parkNanos(100_000);
  }

  /** Flips a byte where the first record of each segment has its payload, if it is long enough. */
  private static void corruptSegments(Path folder, String prefix) throws IOException {
    int position = 4096 + RECORD_BYTES / 2;
    for (Path slot : slots(folder, prefix)) {
      try (FileChannel channel =
          FileChannel.open(slot, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        ByteBuffer block = ByteBuffer.allocate(1);
        channel.read(block, 0);
        if (block.get(0) == 0) continue;
        channel.read(block.clear(), position);
        block.put(0, (byte) ~block.get(0)).rewind();
        channel.write(block, position);
      }
    }
  }

  private static List<Path> slots(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  @Test
  void inspectShowsTiersSegmentsAndFiles() throws Exception {
    makeLog();
    CommandOutcome outcome = CommandOutcome.run("log", "inspect", directory.toString());
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .contains("mode       hybrid, segments of 64 KiB", "same boot, all memory is there")
        .containsPattern("tier +slots +free +size")
        .containsPattern("memory +8 ")
        .containsPattern("segment +tier +stream +data +journal +marks +live +clean +dead")
        .containsPattern("\\n1 +(SSD|both) +ingest +\\d+ +- +- ")
        .containsPattern("\\n1:7 +50 +244.1 KiB +50000 +300000 +-\\n")
        .containsPattern("\\n2:1 +1 +4.8 KiB +300000 +305000 +-\\n");
    assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(CommandOutcome.run("log", "inspect", directory.toString(), "--files").out())
        .contains("1:7")
        .doesNotContain("ingest");
    assertThat(CommandOutcome.run("log", "inspect", directory.toString(), "--segments").out())
        .contains("ingest")
        .doesNotContain("1:7");
  }

  @Test
  void inspectForPrograms() throws Exception {
    makeLog();
    CommandOutcome outcome = CommandOutcome.run("log", "inspect", directory.toString(), "--json");
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .startsWith("{\"log\":\"")
        .endsWith("\"problems\":[]}\n")
        .contains("\"mode\":\"hybrid\",\"segmentBytes\":65536")
        .contains("\"memoryThere\":true,\"sameBoot\":true")
        .contains("\"onSsd\":true,\"stream\":\"ingest\"")
        .contains(
            "{\"instance\":1,\"file\":7,\"records\":50,\"bytes\":250000,"
                + "\"fromOffset\":50000,\"toOffset\":300000,\"damagedRecords\":0}");
  }

  @Test
  void longListsAreCutForPeopleOnly() throws Exception {
    try (LogDirectory log = open()) {
      for (int i = 0; i < 50; i++) put(log.store(), i, new FileId(1, i));
    }
    CommandOutcome people = CommandOutcome.run("log", "inspect", directory.toString(), "--files");
    assertThat(people.out())
        .contains("\n1:39 ", "… and 10 more (use --json)")
        .doesNotContain("1:40");
    CommandOutcome programs =
        CommandOutcome.run("log", "inspect", directory.toString(), "--files", "--json");
    assertThat(programs.out()).contains("\"file\":49").doesNotContain("\"segments\":[");
  }

  @Test
  void aSoundLogIsVerified() throws Exception {
    makeLog();
    CommandOutcome outcome = CommandOutcome.run("log", "verify", directory.toString());
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .matches("checked \\d+ segments and 6\\d records in [\\d.]+ [KM]iB, [\\d.]+ s\\nsound\\n");
    assertThat(CommandOutcome.run("log", "verify", directory.toString(), "--json").out())
        .contains("\"sound\":true,\"problems\":[],\"notes\":[]");
  }

  @Test
  void damageIsListedAndEndsWithOne() throws Exception {
    makeLog();
    corruptSegments(temporary, "memory-");
    CommandOutcome outcome = CommandOutcome.run("log", "verify", directory.toString());
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).isEmpty();
    long problems =
        outcome
            .out()
            .lines()
            .filter(line -> line.contains("does not match its checksums"))
            .filter(line -> !line.startsWith("note: "))
            .count();
    assertThat(problems).isGreaterThan(1);
    assertThat(outcome.out()).endsWith("\n" + problems + " problems\n");
    assertThat(CommandOutcome.run("log", "verify", directory.toString(), "--json"))
        .matches(json -> json.exitCode() == 1 && json.out().contains("\"sound\":false"));
    assertThat(CommandOutcome.run("log", "inspect", directory.toString()))
        .matches(
            inspect -> inspect.exitCode() == 0 && inspect.out().contains("'forebay log verify'"));
  }

  @Test
  void aHeaderThatIsGoneIsAProblem() throws Exception {
    makeLog();
    for (Path slot : slots(directory.resolve("segments"), "segment-")) {
      try (FileChannel channel = FileChannel.open(slot, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1}), 0);
      }
    }
    CommandOutcome outcome = CommandOutcome.run("log", "verify", directory.toString());
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).contains("the segment's header is broken").endsWith("problems\n");
  }

  @Test
  void whatIsNoLogIsRefusedAndNotTouched() throws Exception {
    for (String command : List.of("inspect", "verify")) {
      String name = directory.toString();
      assertThat(CommandOutcome.run("log", command, name))
          .isEqualTo(
              new CommandOutcome(
                  1, "", "forebay: '" + name + "' does not exist; name the directory of a log.\n"));
      assertThat(CommandOutcome.run("log", command, temporary.toString()).err())
          .contains("holds no log ('forebay.log' is missing); name the directory of a log.\n");
      assertThat(temporary).isEmptyDirectory();
      assertThat(CommandOutcome.run("log", command))
          .isEqualTo(
              new CommandOutcome(
                  2,
                  "",
                  "forebay: missing required parameter: 'DIR'; see 'forebay log %s --help'.\n"
                      .formatted(command)));
    }
    assertThat(CommandOutcome.run("log"))
        .isEqualTo(
            new CommandOutcome(
                2,
                "",
                "forebay: missing command: 'inspect', 'verify' or 'orphans'; see 'forebay log --help'.\n"));
    assertThat(CommandOutcome.run("log", "inspect", "x", "--files", "--segments").exitCode())
        .isEqualTo(2);
  }

  @Test
  void aLogInUseOrOfANewerVersionIsRefused() throws Exception {
    try (LogDirectory log = open()) {
      settle(log.store());
      assertThat(CommandOutcome.run("log", "verify", directory.toString()))
          .matches(outcome -> outcome.exitCode() == 1 && outcome.err().contains("is in use by"));
    }
    Path identity = directory.resolve("forebay.log");
    byte[] bytes = Files.readAllBytes(identity);
    bytes[Long.BYTES + Integer.BYTES - 1]++;
    Files.write(identity, bytes);
    assertThat(CommandOutcome.run("log", "inspect", directory.toString()))
        .matches(
            outcome ->
                outcome.exitCode() == 1
                    && outcome.err().contains("newer version of Forebay")
                    && outcome.err().endsWith("use that version.\n"));
  }
}
