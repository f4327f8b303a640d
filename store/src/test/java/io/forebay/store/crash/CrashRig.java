// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.files.LocalFiles;
import io.forebay.store.log.Scope;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One log after another, the processes that work on them, and their ledger. Keeps a process ready
 * ahead of its turn. Whatever it started and made is gone when it is closed.
 */
final class CrashRig implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** Records that no file shows outlive so many sessions before they are killed. */
  private static final long SESSIONS_KEPT = 4;

  private static final int FORGOTTEN_MAX = 500;

  /** More than any test lets it do: a process that nobody kills ends by itself. */
  private static final int ACTS_MAX = 100_000;

  /** Enough to need most classes. */
  private static final int TRAINING_ACTS = 200;

  private static final StoreConfig TRAINING = StoreConfig.hybrid(1 << 18, 10 << 18, 48 << 18);

  private final Path root;
  private final Path memory;
  private final Path errors;
  private final WorkloadClasses classes;
  private final SplittableRandom random;
  private final Deque<WorkloadProcess> running = new ArrayDeque<>();
  private @Nullable WorkloadProcess ready;
  private StoreConfig config;
  private Path directory;
  private Ledger ledger;
  private Payload payload;
  private long payloadSeed;
  private long session;
  private int logs;

  /**
   * Makes no log yet.
   *
   * @param root an existing directory, for logs
   * @param memory an existing directory of this rig's own, for memory segments
   */
  CrashRig(Path root, Path memory, SplittableRandom random) throws IOException {
    this.root = root;
    this.memory = memory;
    this.errors = memory.resolve("errors");
    this.random = random;
    this.classes = WorkloadClasses.pack(memory);
  }

  /** Lets a process run to its end, so that later ones find its classes in an archive. */
  void train() throws IOException, LogUnavailable {
    beginLog(TRAINING);
    try (WorkloadProcess process =
        WorkloadProcess.start(errors, classes.classPath(), classes.making())) {
      process.give(
          new Order(directory, memory, config, payloadSeed, 0, 0, TRAINING_ACTS, List.of()));
      while (process.next() != null) {}
      process.awaitEnd();
    }
    endLog();
  }

  /** A new directory in memory, or where there is none such, below another one. */
  static Path memoryDirectory(Path otherwise) throws IOException {
    Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : otherwise;
    return Files.createTempDirectory(parent, "forebay-crash-");
  }

  void beginLog(StoreConfig config) {
    this.config = config;
    directory = root.resolve("log-" + logs++);
    ledger = new Ledger();
    payloadSeed = random.nextLong();
    payload = new Payload(payloadSeed);
    session = 0;
  }

  void endLog() throws IOException, LogUnavailable {
    LogDirectory.destroy(directory);
  }

  StoreConfig config() {
    return config;
  }

  Ledger ledger() {
    return ledger;
  }

  /** What the processes complained of. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** Sets a process to work on the log, and starts the one that comes after it. */
  WorkloadProcess startWorkload() throws IOException {
    WorkloadProcess process = ready != null ? ready : start();
    session += 2;
    List<Scope.Records> forgotten =
        ledger.unpublished().stream()
            .filter(records -> records.session() < session - SESSIONS_KEPT)
            .limit(FORGOTTEN_MAX)
            .toList();
    process.give(
        new Order(
            directory,
            memory,
            config,
            payloadSeed,
            random.nextLong(),
            session,
            ACTS_MAX,
            forgotten));
    ready = start();
    return process;
  }

  /** Checks the log after its process has died that way, and says how many bytes were compared. */
  long checkAfter(Ledger.Crash crash) throws IOException, LogUnavailable, LocalFiles.BrokenJournal {
    ledger.crashed(crash);
    return LogCheck.check(directory, memory, config, ledger, payload);
  }

  /** Removes all that is in memory, as a restart of the machine does. */
  void loseMemory() throws IOException {
    try (Stream<Path> homes = Files.list(memory)) {
      for (Path home : homes.filter(Files::isDirectory).toList()) removeTree(home);
    }
  }

  @Override
  public void close() throws IOException {
    running.forEach(WorkloadProcess::close);
    removeTree(memory);
  }

  private WorkloadProcess start() throws IOException {
    WorkloadProcess process = WorkloadProcess.start(errors, classes.classPath(), classes.using());
    running.add(process);
    // One works, one is ready; those before are dead.
    while (running.size() > 2) running.remove().close();
    return process;
  }

  private static void removeTree(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }
}
