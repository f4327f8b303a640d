// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.directory.inspect.LogInspection;
import io.forebay.store.directory.inspect.LogReading;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import io.forebay.store.recovery.Finding;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is in a log, read without opening it. */
@Timeout(120)
final class LogReadingTest {
  private static final int SEGMENT = 64 * 1024;
  private static final StoreConfig CONFIG = StoreConfig.hybrid(SEGMENT, 12 * SEGMENT, 40 * SEGMENT);

  @TempDir Path temporary;

  private final LogUser user = new LogUser();
  private Path directory;
  private Path root;
  private Machine machine;

  @BeforeEach
  void makeRoot() throws IOException {
    directory = temporary.resolve("seat");
    root = Files.createDirectory(temporary.resolve("memory"));
    machine = new Machine(root, "boot-1");
  }

  private LogDirectory open() throws LogUnavailable, IOException {
    return user.open(Options.create(directory, CONFIG), machine);
  }

  private LogInspection read() throws LogUnavailable, IOException {
    return LogReading.inspect(directory, machine, (bytes, total) -> {});
  }

  private static long recordBytes(int records) {
    RecordHeader one = RecordHeader.data(new RecordId(1, 1), LogUser.FILE, 0, LogUser.RECORD_BYTES);
    return (long) records * one.recordBytes();
  }

  @Test
  void aNewLogIsEmptyAndSound() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.settle(log.store());
    }
    LogInspection log = read();
    assertThat(log.sound()).isTrue();
    assertThat(log.segments()).isEmpty();
    assertThat(log.files()).isEmpty();
    assertThat(log.identity().memorySurvived()).isTrue();
    assertThat(log.tiers())
        .filteredOn(tier -> tier.name().equals("memory"))
        .containsExactly(new LogInspection.Tier("memory", 12, 12, 12L * SEGMENT));
  }

  @Test
  void recordsCountOnceWhereverTheyStandAndForWhatTheMarksSay() throws Exception {
    try (LogDirectory log = open()) {
      Store store = log.store();
      LogUser.put(store, 0, 60, Level.KEPT);
      store.seal();
      LogUser.settle(store);
      assertThat(store.spillOldest()).isTrue();
      LogUser.settle(store);
      Scope deadScope = new Scope.Records(LogUser.SESSION, 0, 9);
      Scope cleanScope = new Scope.Records(LogUser.SESSION, 20, 29);
      store.kill(List.of(deadScope), Level.KEPT, answer -> {});
      store.markClean(1, List.of(cleanScope), Level.KEPT, answer -> {});
      store.journal(3, 1, 1, ByteBuffer.allocate(100), Level.KEPT, answer -> {});
      store.journal(3, 2, 1, ByteBuffer.allocate(100), Level.KEPT, answer -> {});
      RecordHeader unfilled =
          RecordHeader.data(new RecordId(LogUser.SESSION, 99), new FileId(2, 1), 0, 100);
      assertThat(store.reserve(unfilled, Level.KEPT)).isInstanceOf(Reserve.Reserved.class);
    }
    LogInspection log = read();
    assertThat(log.problems()).isEmpty();
    LogInspection.ByState bytes = log.recordBytes();
    assertThat(bytes.dead()).isGreaterThanOrEqualTo(recordBytes(10)).isLessThan(recordBytes(11));
    assertThat(bytes.clean()).isEqualTo(recordBytes(10));
    assertThat(bytes.live()).isGreaterThan(recordBytes(40)).isLessThan(recordBytes(41));
    assertThat(bytes.voided()).isPositive().isLessThan(recordBytes(1));
    assertThat(log.segments().stream().mapToInt(LogInspection.Segment::data).sum()).isEqualTo(61);
    assertThat(log.segments().stream().mapToInt(LogInspection.Segment::marks).sum()).isEqualTo(2);
    assertThat(log.segments()).anyMatch(LogInspection.Segment::onSsd);
    assertThat(log.segments()).anyMatch(LogInspection.Segment::inMemory);
    long to = 60L * LogUser.RECORD_BYTES;
    assertThat(log.files())
        .containsExactly(
            new LogInspection.File(
                LogUser.FILE, 50, 50L * LogUser.RECORD_BYTES, 10L * LogUser.RECORD_BYTES, to, 0));
  }

  @Test
  void damageIsFoundAndTheRestStillCounts() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.put(log.store(), 0, 40, Level.FORCED);
    }
    SlotFiles.remove(root.resolve("forebay-" + read().identity().id()), "memory-");
    corruptFirst(directory.resolve("segments"), LogUser.RECORD_BYTES);
    LogInspection log = read();
    assertThat(log.identity().memoryThere()).isFalse();
    assertThat(log.problems()).singleElement().isInstanceOf(Finding.DamagedRecord.class);
    assertThat(log.recordBytes().damaged()).isEqualTo(recordBytes(1));
    assertThat(log.files()).singleElement().matches(f -> f.records() == 39 && f.damaged() == 1);
  }

  @Test
  void damageOnTheSsdIsNoProblemWhileTheImageStands() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.put(log.store(), 0, 40, Level.FORCED);
    }
    corruptFirst(directory.resolve("segments"), LogUser.RECORD_BYTES);
    LogInspection log = read();
    assertThat(log.problems()).isEmpty();
    assertThat(log.notes()).singleElement().isInstanceOf(Finding.DamagedRecord.class);
    assertThat(log.files()).singleElement().matches(file -> file.records() == 40);
  }

  @Test
  void readingChangesNothingAndWorksWhereNothingCanBeChanged() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.put(log.store(), 0, 100, Level.KEPT);
    }
    List<String> before = everything();
    LogInspection log = read();
    assertThat(log.files()).singleElement().matches(file -> file.records() == 100);
    assertThat(everything()).isEqualTo(before);
    try (Mounts mounts = new Mounts()) {
      mounts.readOnly(temporary);
      assertThat(read()).isEqualTo(log);
    }
  }

  @Test
  void progressEndsAtTheTotal() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.put(log.store(), 0, 100, Level.KEPT);
    }
    List<Long> left = new ArrayList<>();
    LogReading.inspect(directory, machine, (bytes, total) -> left.add(total - bytes));
    assertThat(left).isSortedAccordingTo((a, b) -> Long.compare(b, a)).endsWith(0L);
  }

  @Test
  void whatIsOpenOrNoLogIsRefused() throws Exception {
    assertThatThrownBy(this::read)
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContaining("does not exist");
    Files.createDirectory(directory);
    assertThatThrownBy(this::read)
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContaining("holds no log");
    assertThat(directory).isEmptyDirectory();
    try (LogDirectory log = open()) {
      assertThatThrownBy(this::read)
          .isInstanceOf(LogUnavailable.class)
          .hasMessageContaining("in use by this process already");
      // The refused attempt must not have taken the lock away.
      LogUser.put(log.store(), 0, Level.KEPT);
    }
    assertThat(read().sound()).isTrue();
  }

  /** Flips a byte in the middle of the first record of the first segment that has one. */
  private static void corruptFirst(Path slots, int payloadBytes) throws IOException {
    int position = 4096 + payloadBytes / 2;
    for (Path slot : SlotFiles.list(slots, "segment-").stream().sorted().toList()) {
      try (FileChannel channel =
          FileChannel.open(slot, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        ByteBuffer magic = ByteBuffer.allocate(1);
        channel.read(magic, 0);
        if (magic.get(0) == 0) continue;
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.read(one, position);
        one.put(0, (byte) ~one.get(0)).rewind();
        channel.write(one, position);
        return;
      }
    }
    throw new AssertionError("no segment in " + slots);
  }

  private List<String> everything() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(temporary)) {
      for (Path file : files.sorted().toList()) {
        int hash = Files.isRegularFile(file) ? Arrays.hashCode(Files.readAllBytes(file)) : 0;
        all.add(file + " " + Files.getLastModifiedTime(file) + " " + hash);
      }
    }
    return all;
  }
}
