// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.Store;
import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log's directory through its life: made, opened again, its memory found or lost, removed. */
@Timeout(120)
final class LogDirectoryTest {
  private static final int SEGMENT = 64 * 1024;
  private static final String NOT_MEMORY = "is not on a memory file system";

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

  private static StoreConfig config(Mode mode) {
    return switch (mode) {
      case MEMORY -> StoreConfig.memory(SEGMENT, 16 * SEGMENT);
      case SSD -> StoreConfig.ssd(SEGMENT, 40 * SEGMENT);
      case HYBRID -> StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 40 * SEGMENT);
    };
  }

  private LogDirectory open(Options options) throws LogUnavailable, IOException {
    return user.open(options, machine);
  }

  private LogDirectory open(Mode mode) throws LogUnavailable, IOException {
    return open(Options.create(directory, config(mode)));
  }

  private static Set<String> names(Path folder) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> entries = Files.list(folder)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    }
    return names;
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void everyModeBringsBackWhatWasKept(Mode mode) throws Exception {
    try (LogDirectory log = open(mode)) {
      assertThat(log.created()).isTrue();
      assertThat(log.memorySurvived()).isFalse();
      LogUser.put(log.store(), 0, 100, Level.KEPT);
    }
    try (LogDirectory log = open(mode)) {
      assertThat(log.created()).isFalse();
      assertThat(log.memorySurvived()).isTrue();
      assertThat(log.report().findings()).isEmpty();
      LogUser.check(log.store(), 0, 100);
      LogUser.put(log.store(), 100, 110, Level.KEPT);
    }
    try (LogDirectory log = open(Options.existing(directory))) {
      assertThat(log.memorySurvived()).isTrue();
      assertThat(log.store().config().mode()).isEqualTo(mode);
      LogUser.check(log.store(), 0, 110);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void filesAreWhereTheyAreSaidToBe(Mode mode) throws Exception {
    try (LogDirectory log = open(mode)) {
      LogUser.put(log.store(), 0, 20, Level.KEPT);
      LogUser.settle(log.store());
      assertThat(names(directory))
          .isEqualTo(
              mode == Mode.MEMORY
                  ? Set.of("forebay.log", "lock")
                  : Set.of("forebay.log", "lock", "segments"));
      assertThat(Files.readString(directory.resolve("lock")))
          .isEqualTo(ProcessHandle.current().pid() + "\n");
      if (mode == Mode.SSD) {
        assertThat(names(root)).isEmpty();
      } else {
        Path memory = root.resolve("forebay-" + log.id());
        assertThat(names(root)).containsExactly(memory.getFileName().toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(memory)))
            .isEqualTo("rwx------");
        assertThat(names(memory))
            .hasSize(2 + (mode == Mode.MEMORY ? 16 : 6))
            .contains("lock", "log", "memory-000000");
      }
    }
    assertThat(directory.resolve("lock")).isEmptyFile();
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aDestroyedLogLeavesNothing(Mode mode) throws Exception {
    LogDirectory log = open(mode);
    LogUser.put(log.store(), 0, 100, Level.KEPT);
    log.destroy();
    assertThat(names(directory)).isEmpty();
    assertThat(names(root)).isEmpty();
    open(mode).close();
    LogDirectory.destroy(directory);
    assertThat(names(directory)).isEmpty();
    assertThat(names(root)).isEmpty();
  }

  @Test
  void aRestartedMachineHasLostItsMemoryUntilThatIsAcknowledged() throws Exception {
    open(Mode.HYBRID).close();
    machine = new Machine(root, "boot-2");
    try (LogDirectory log = open(Mode.HYBRID)) {
      assertThat(log.memorySurvived()).isFalse();
    }
    // A process that died before it could act on the loss must not hide it from the next one.
    try (LogDirectory log = open(Mode.HYBRID)) {
      assertThat(log.memorySurvived()).isFalse();
      log.acknowledgeLoss();
    }
    try (LogDirectory log = open(Mode.HYBRID)) {
      assertThat(log.memorySurvived()).isTrue();
    }
  }

  @Test
  void withoutABootIdNoMemoryCountsAsSurvived() throws Exception {
    machine = new Machine(root, "");
    open(Mode.HYBRID).close();
    try (LogDirectory log = open(Mode.HYBRID)) {
      assertThat(log.memorySurvived()).isFalse();
    }
  }

  @Test
  void aMissingMemoryDirectoryIsALoss() throws Exception {
    try (LogDirectory log = open(Mode.HYBRID)) {
      LogUser.put(log.store(), 0, 10, Level.FORCED);
      LogUser.put(log.store(), 10, 20, Level.KEPT);
    }
    for (String name : names(root)) SlotFiles.remove(root.resolve(name), "memory-");
    user.warnings.clear();
    try (LogDirectory log = open(Mode.HYBRID)) {
      assertThat(log.memorySurvived()).isFalse();
      assertThat(user.warnings.getFirst()).contains("directory of its memory segments is gone");
      LogUser.check(log.store(), 0, 10);
    }
  }

  @Test
  void withoutMemoryFilesAnonymousMemoryMustBeAllowed() throws Exception {
    machine = new Machine(null, "boot-1");
    assertThatThrownBy(() -> open(Mode.HYBRID))
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContainingAll("no memory file system", "anonymous-memory");
    Options allowed = Options.create(directory, config(Mode.HYBRID)).withAnonymousMemory(true);
    try (LogDirectory log = user.open(allowed, machine)) {
      LogUser.put(log.store(), 0, 10, Level.KEPT);
      LogUser.settle(log.store());
      LogUser.check(log.store(), 0, 10);
    }
    assertThat(user.warnings)
        .singleElement()
        .asString()
        .contains("anonymous memory", "goes to the SSD before it counts");
    try (LogDirectory log = user.open(allowed, machine)) {
      assertThat(log.memorySurvived()).isTrue();
      LogUser.check(log.store(), 0, 10);
    }
  }

  @Test
  void writeBuffersOfAnSsdLogAreNoLoss() throws Exception {
    machine = new Machine(null, "boot-1");
    try (LogDirectory log = open(Mode.SSD)) {
      LogUser.put(log.store(), 0, 50, Level.KEPT);
    }
    try (LogDirectory log = open(Mode.SSD)) {
      assertThat(log.memorySurvived()).isTrue();
      LogUser.check(log.store(), 0, 50);
    }
    assertThat(user.warnings).isEmpty();
  }

  @Test
  void memorySegmentsStayWhereTheyAre() throws Exception {
    Path other = Files.createDirectory(temporary.resolve("other"));
    open(Options.create(directory, config(Mode.MEMORY)).withMemoryRoot(other)).close();
    assertThat(names(root)).isEmpty();
    try (LogDirectory log = open(Mode.MEMORY)) {
      assertThat(log.memorySurvived()).isTrue();
      LogUser.put(log.store(), 0, 10, Level.KEPT);
    }
    assertThat(names(root)).isEmpty();
    assertThat(user.warnings).hasSize(2).allMatch(warning -> warning.contains(NOT_MEMORY));
  }

  @Test
  void aFileSystemOfItsOwnMayHaveItsLostAndFound() throws Exception {
    Files.createDirectories(directory.resolve("lost+found"));
    open(Mode.SSD).close();
    LogDirectory.destroy(directory);
    assertThat(names(directory)).containsExactly("lost+found");
  }

  @Test
  void budgetsMayChangeBetweenOpenings() throws Exception {
    try (LogDirectory log = open(Mode.HYBRID)) {
      LogUser.put(log.store(), 0, 200, Level.KEPT);
    }
    StoreConfig smaller = StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 6 * SEGMENT);
    for (StoreConfig config : List.of(smaller, config(Mode.HYBRID))) {
      try (LogDirectory log = open(Options.existing(directory, config))) {
        Store store = log.store();
        LogUser.check(store, 0, 200);
      }
    }
  }
}
