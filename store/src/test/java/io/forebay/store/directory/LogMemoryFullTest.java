// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is smaller than the budget, as in containers: a tmpfs of one mebibyte. */
@Timeout(120)
final class LogMemoryFullTest {
  private static final int SEGMENT = 64 * 1024;
  private static final int DEVICE_BYTES = 1 << 20;
  private static final int SLOTS = 40;
  private static final StoreConfig CONFIG = StoreConfig.memory(SEGMENT, SLOTS * SEGMENT);

  /** More than one device holds, and than two do. */
  private static final int RECORDS = 400;

  @TempDir Path temporary;

  private final LogUser user = new LogUser();
  private final Mounts mounts = new Mounts();
  private Path directory;
  private Path root;
  private Machine machine;

  @BeforeEach
  void makeRoot() throws IOException {
    directory = temporary.resolve("seat");
    root = tmpfs("memory");
    machine = new Machine(root, "boot-1");
  }

  @AfterEach
  void unmount() {
    mounts.close();
  }

  private Path tmpfs(String name) throws IOException {
    Path path = Files.createDirectory(temporary.resolve(name));
    mounts.tmpfs(path, DEVICE_BYTES);
    return path;
  }

  private void fillAndCheck(Options options) throws LogUnavailable, IOException {
    try (LogDirectory log = user.open(options, machine)) {
      LogUser.put(log.store(), 0, RECORDS, Level.KEPT);
      LogUser.settle(log.store());
      LogUser.check(log.store(), 0, RECORDS);
      assertThat(log.store().stats().memory().max()).isEqualTo(SLOTS);
    }
  }

  private static long slotsBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("memory-")).count();
    }
  }

  @Test
  void aConfiguredDirectoryTakesTheRest() throws Exception {
    Path spare = Files.createDirectory(temporary.resolve("spare"));
    Options options = Options.create(directory, CONFIG).withMemoryFallback(spare);
    fillAndCheck(options);
    assertThat(user.warnings)
        .singleElement()
        .asString()
        .contains("no room", root.toString(), "using '" + spare, "slower");
    assertThat(slotsBelow(root)).isBetween(1L, (long) DEVICE_BYTES / SEGMENT);
    assertThat(slotsBelow(root) + slotsBelow(spare)).isEqualTo(SLOTS);
    // Its place is remembered: whoever opens the log need not name it again.
    try (LogDirectory log = user.open(Options.existing(directory), machine)) {
      assertThat(log.memorySurvived()).isTrue();
      assertThat(log.report().findings()).isEmpty();
      LogUser.check(log.store(), 0, RECORDS);
      log.destroy();
    }
    assertThat(slotsBelow(temporary)).isZero();
    assertThat(spare).isEmptyDirectory();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void tooLittleRoomIsRefused() {
    assertThatThrownBy(() -> user.open(Options.create(directory, CONFIG), machine))
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContainingAll(root.toString(), "1 MiB of the 2.5 MiB", "anonymous-memory");
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void whatIsThereAlreadyNeedsNoRoom() throws Exception {
    StoreConfig all = StoreConfig.memory(SEGMENT, 12 * SEGMENT);
    try (LogDirectory log = user.open(Options.create(directory, all), machine)) {
      LogUser.settle(log.store());
    }
    try (LogDirectory log = user.open(Options.create(directory, all), machine)) {
      assertThat(log.memorySurvived()).isTrue();
    }
  }

  @Test
  void anonymousMemoryTakesTheRestAndTheLogKnows() throws Exception {
    Options options = Options.create(directory, CONFIG).withAnonymousMemory(true);
    fillAndCheck(options);
    assertThat(user.warnings)
        .singleElement()
        .asString()
        .contains("no room", root.toString(), "using anonymous memory", "lost when this process");
    try (LogDirectory log = user.open(options, machine)) {
      assertThat(log.memorySurvived()).isFalse();
      assertThat(log.store().stats().recordsIndexed()).isBetween(100L, RECORDS - 100L);
    }
  }

  @Test
  void anonymousMemoryThatHeldNothingIsNoLoss() throws Exception {
    Options options = Options.create(directory, CONFIG).withAnonymousMemory(true);
    try (LogDirectory log = user.open(options, machine)) {
      LogUser.settle(log.store());
      LogUser.put(log.store(), 0, 100, Level.KEPT);
      assertThat(log.store().stats().memory().dying()).isPositive();
    }
    try (LogDirectory log = user.open(options, machine)) {
      assertThat(log.memorySurvived()).isTrue();
      LogUser.check(log.store(), 0, 100);
    }
  }

  @Test
  void withAnSsdAnonymousMemoryLosesNothing() throws Exception {
    StoreConfig hybrid = StoreConfig.hybrid(SEGMENT, SLOTS * SEGMENT, 2 * SLOTS * SEGMENT);
    Options options = Options.create(directory, hybrid).withAnonymousMemory(true);
    fillAndCheck(options);
    try (LogDirectory log = user.open(options, machine)) {
      assertThat(log.memorySurvived()).isTrue();
      LogUser.check(log.store(), 0, RECORDS);
    }
  }

  @Test
  void aSmallerBudgetGivesMemoryBackAtOnce() throws Exception {
    StoreConfig large = StoreConfig.memory(SEGMENT, 14 * SEGMENT);
    StoreConfig small = StoreConfig.memory(SEGMENT, 7 * SEGMENT);
    try (LogDirectory log = user.open(Options.create(directory, large), machine)) {
      LogUser.settle(log.store());
    }
    assertThat(slotsBelow(root)).isEqualTo(14);
    try (LogDirectory log = user.open(Options.create(directory, small), machine)) {
      LogUser.settle(log.store());
      assertThat(slotsBelow(root)).isEqualTo(7);
      String maps = Files.readString(Path.of("/proc/self/maps"));
      assertThat(maps.lines().filter(line -> line.contains(root.toString())))
          .as("a deleted file that is mapped keeps its memory")
          .hasSize(7)
          .noneMatch(line -> line.contains("(deleted)"));
    }
  }

  @Test
  void eachPlaceThatIsFullIsToldOnce() throws Exception {
    Path spare = tmpfs("spare");
    fillAndCheck(
        Options.create(directory, CONFIG).withMemoryFallback(spare).withAnonymousMemory(true));
    assertThat(user.warnings).hasSize(2);
    assertThat(user.warnings.get(0)).contains("no room", root.toString(), "using '" + spare);
    assertThat(user.warnings.get(1)).contains("no room", spare.toString(), "anonymous memory");
  }
}
