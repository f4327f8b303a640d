// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.ForebayOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Advisory locks between two mounts of one instance. To the kernel these are two file systems, so
 * that one process may play two programs.
 */
@Timeout(180)
class SharedLocksTest {
  private static final Path FLOCK = Path.of("/usr/bin/flock");
  private static final Path SQLITE = Path.of("/usr/bin/sqlite3");

  @TempDir private static Path directory;

  private static EmbeddedCluster cluster;
  private static ForebayMount first;
  private static ForebayMount second;
  private static Path one;
  private static Path two;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    cluster =
        EmbeddedCluster.builder()
            .servers(3)
            .copies(2)
            .segmentBytes(1 << 20)
            .budget(24 << 20, 48 << 20)
            .start();
    one = Files.createDirectories(directory.resolve("one"));
    two = Files.createDirectories(directory.resolve("two"));
    first = mount(one);
    second = mount(two);
  }

  private static ForebayMount mount(Path point) throws IOException {
    return ForebayMount.mount(
        cluster.uri(), point, MountSettings.defaults(), ForebayOptions.defaults());
  }

  @AfterAll
  static void end() {
    if (first != null) first.close();
    if (second != null) second.close();
    if (cluster != null) cluster.close();
  }

  private static FileChannel open(Path mount, String name) throws IOException {
    return FileChannel.open(mount.resolve(name), CREATE, READ, WRITE);
  }

  @Test
  void rangesAreHeldBetweenMounts() throws IOException {
    try (FileChannel here = open(one, "ranges");
        FileChannel there = open(two, "ranges")) {
      FileLock held = here.lock(10, 10, false);
      assertThat(there.tryLock(19, 1, true)).isNull();
      assertThat(there.tryLock(20, 5, false)).isNotNull();
      held.release();
      FileLock shared = there.lock(10, 10, true);
      assertThat(here.tryLock(0, 11, true)).isNotNull();
      assertThat(here.tryLock(15, 1, false)).isNull();
      shared.release();
      assertThat(here.tryLock(15, 1, false)).isNotNull();
    }
  }

  @Test
  void closingGivesLocksUp() throws IOException {
    try (FileChannel there = open(two, "closed")) {
      try (FileChannel here = open(one, "closed")) {
        here.lock();
        assertThat(there.tryLock()).isNull();
      }
      assertThat(there.tryLock()).isNotNull();
    }
  }

  @Test
  void whoWaitsGetsItsTurn() throws IOException, InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        FileChannel here = open(one, "waited");
        FileChannel there = open(two, "waited")) {
      FileLock held = here.lock();
      Future<FileLock> waiting = threads.submit((Callable<FileLock>) there::lock);
      // The mount goes on meanwhile.
      Files.writeString(two.resolve("beside"), "x");
      assertThat(waiting.isDone()).isFalse();
      held.release();
      assertThat(waiting.get().isValid()).isTrue();
    }
  }

  /** A counter that programs of both mounts read, raise and write back while they hold the lock. */
  @Test
  void aLockIsABarrier() throws IOException, InterruptedException, ExecutionException {
    int rounds = 40;
    List<Future<Void>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Path mount : List.of(one, two)) {
        all.add(threads.submit(() -> count(mount, rounds)));
      }
      for (Future<Void> each : all) each.get();
    }
    try (FileChannel counter = open(one, "counter")) {
      counter.lock();
      assertThat(read(counter)).isEqualTo(2L * rounds);
    }
  }

  private static Void count(Path mount, int rounds) throws IOException {
    try (FileChannel counter = open(mount, "counter")) {
      for (int i = 0; i < rounds; i++) {
        try (FileLock held = counter.lock()) {
          assertThat(held.isValid()).isTrue();
          long next = read(counter) + 1;
          counter.write(ByteBuffer.allocate(Long.BYTES).putLong(0, next), 0);
        }
      }
    }
    return null;
  }

  private static long read(FileChannel counter) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
    return counter.read(bytes, 0) < Long.BYTES ? 0 : bytes.getLong(0);
  }

  /** The journal has them, so that the next home knows them. */
  @Test
  void locksOutliveTheServerThatKnewThem() throws IOException, StartFailed {
    try (FileChannel here = open(one, "outlives");
        FileChannel there = open(two, "outlives")) {
      FileLock held = here.lock();
      // The first server is the home of the tree, until another one takes over.
      cluster.stop(0);
      assertThat(there.tryLock()).isNull();
      cluster.start(0);
      assertThat(there.tryLock()).isNull();
      held.release();
      assertThat(there.tryLock()).isNotNull();
    }
  }

  /** A mount that stood still for longer than its session lives, while another one got its lock. */
  @Test
  void whoLostItsLocksWritesNothingUntilItOpensTheFileAgain()
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(FLOCK), "needs flock (util-linux)");
    Path three = Files.createDirectories(directory.resolve("three"));
    try (MountingProcess mount = new MountingProcess(cluster.uri(), three, Duration.ofSeconds(1))) {
      Process holder = holder(three.resolve("lost"));
      try (FileChannel other = open(two, "lost");
          BufferedReader said = holder.inputReader()) {
        assertThat(said.readLine()).isEqualTo("held");
        assertThat(flock("-n", two + "/lost", "true")).isEqualTo(1);
        mount.stop();
        assertThat(flock("-w", "100", two + "/lost", "true")).isZero();
        other.write(ByteBuffer.wrap("your".getBytes(StandardCharsets.UTF_8)), 0);
        other.force(true);
        mount.goOn();
        // The mount goes on in another session, without the lock.
        write(three.resolve("beside"), "x");
        holder.getOutputStream().close();
        assertThat(said.readLine()).isEqualTo("written and synced: 1");
        assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
      } finally {
        holder.destroyForcibly();
      }
      assertThat(Files.readString(two.resolve("lost"))).isEqualTo("your");
      write(three.resolve("lost"), "next");
      assertThat(Files.readString(two.resolve("lost"))).isEqualTo("next");
    }
  }

  /** Locks a file and writes, and again when its input has ended. */
  private static Process holder(Path file) throws IOException {
    String script =
        """
        exec 9<>"$0"; flock 9; printf mine >&9; sync "$0"; echo held; cat
        printf late >&9 && sync "$0"; echo "written and synced: $?"
        """;
    return new ProcessBuilder("sh", "-c", script, file.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /**
   * Writes a file as soon as it can be written: the mount first hears that its session has ended,
   * and of the close of a program a little after that has ended. Each try waits for the mount.
   */
  private static void write(Path file, String text) {
    while (!isWritten(file, text)) Thread.onSpinWait();
  }

  private static boolean isWritten(Path file, String text) {
    try {
      Files.writeString(file, text);
      return true;
    } catch (IOException notYet) {
      assertThat(notYet).hasMessageContaining("Input/output error");
      return false;
    }
  }

  /** Two programs, each of which holds what the other one wants. */
  @Test
  void oneOfTwoThatWaitForEachOtherIsRefused()
      throws IOException, InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        FileChannel firstHolds = open(one, "a");
        FileChannel firstWants = open(one, "b");
        FileChannel secondHolds = open(two, "b");
        FileChannel secondWants = open(two, "a")) {
      firstHolds.lock();
      secondHolds.lock();
      CompletionService<FileLock> waiting = new ExecutorCompletionService<>(threads);
      Future<FileLock> first = waiting.submit(firstWants::lock);
      waiting.submit(secondWants::lock);
      Future<FileLock> refused = waiting.take();
      assertThatThrownBy(refused::get).hasMessageContaining("Resource deadlock");
      // It gives up what it has, and the other one goes on.
      (first.isDone() ? firstHolds : secondHolds).close();
      assertThat(waiting.take().get().isValid()).isTrue();
    }
  }

  @Test
  void wholeFilesAreLockedByFlock() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(FLOCK), "needs flock (util-linux)");
    Files.writeString(one.resolve("flock"), "");
    // Says so once it has the lock, and keeps it until its input ends.
    Process holder =
        new ProcessBuilder(FLOCK.toString(), one + "/flock", "sh", "-c", "echo held; cat")
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("held");
      assertThat(flock("-n", two + "/flock", "true")).isEqualTo(1);
      // An interrupted program waits no more, and leaves nothing behind.
      assertThat(flock("-w", "1", two + "/flock", "true")).isEqualTo(1);
      assertThat(flock("-s", "-n", two + "/flock", "true")).isEqualTo(1);
      holder.getOutputStream().close();
      assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(flock("-w", "60", two + "/flock", "true")).isZero();
      assertThat(flock("-n", one + "/flock", "true")).isZero();
    } finally {
      holder.destroyForcibly();
    }
  }

  private static int flock(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(FLOCK.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** The kernel of the second mount remembers a name that the first one has removed. */
  @Test
  void aRemovedFileIsNotOpenedByItsFormerName() throws IOException {
    try (FileChannel held = open(one, "former")) {
      assertThat(two.resolve("former")).exists();
      Files.delete(one.resolve("former"));
      Files.writeString(two.resolve("former"), "another");
      Files.delete(two.resolve("former"));
      assertThat(held.size()).isZero();
    }
  }

  @Test
  void sqliteCountsRightFromTwoMounts() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(SQLITE), "needs sqlite3 (dev/optional-packages)");
    int rounds = 8;
    String add = "BEGIN IMMEDIATE; UPDATE t SET n = n + 1; COMMIT;\n";
    sqlite(one, "CREATE TABLE t (n); INSERT INTO t VALUES (0);\n").ended();
    List<Sqlite> both = List.of(sqlite(one, add.repeat(rounds)), sqlite(two, add.repeat(rounds)));
    for (Sqlite each : both) each.ended();
    assertThat(sqlite(two, "SELECT n FROM t; PRAGMA integrity_check;\n").ended())
        .isEqualTo(2 * rounds + "\nok\n");
  }

  private record Sqlite(Process process) {
    String ended() throws IOException, InterruptedException {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(said).isZero();
      return said;
    }
  }

  private static Sqlite sqlite(Path mount, String statements) throws IOException {
    Process process =
        new ProcessBuilder(
                SQLITE.toString(), "-bail", "-cmd", ".timeout 100000", mount + "/counts.db")
            .redirectErrorStream(true)
            .start();
    try (var in = process.outputWriter()) {
      in.write(statements);
    }
    return new Sqlite(process);
  }
}
