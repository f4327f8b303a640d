// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.driver.logging.LogReader;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.netcdf.driver.logging.LogRecovery.Match;
import io.forebay.netcdf.driver.logging.LogRecovery.Mode;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that a program left are brought into the file that they were written for, and no other. */
@Timeout(60)
class LeftLogTest {
  private static final int RANKS = 2;
  private static final int LENGTH = 1000;

  /** Longer than a program can take for a write that is under way when it is killed. */
  private static final long LATER_SECONDS = 600;

  @TempDir Path folder;

  private Path path;
  private Path logs;

  /** How many writes of data the storage still takes. */
  private final AtomicInteger writesLeft = new AtomicInteger(Integer.MAX_VALUE);

  /** A storage that fails in the middle of a flush: the file and the logs are as after a kill. */
  private final NetcdfFiles failing =
      new NetcdfFiles(
          (name, options) -> new FailingFile(Storage.standard().open(name, options)),
          MonotonicClock.system());

  private final class FailingFile extends ForwardingFile {
    FailingFile(SharedFile file) {
      super(file);
    }

    @Override
    public void write(MemorySegment source, long offset) throws IOException {
      if (offset > 0 && writesLeft.decrementAndGet() < 0) throw new IOException("killed");
      super.write(source, offset);
    }
  }

  @BeforeEach
  void names() throws IOException {
    path = folder.resolve("file.nc");
    logs = Files.createDirectory(folder.resolve("logs"));
  }

  private Hints hints(String more) throws NetcdfException {
    return Hints.parse("burst_buffer=enable;burst_buffer_dir=" + logs + ";" + more);
  }

  private static VariableId define(NetcdfFile file, String name) throws IOException {
    DimensionId y = file.defineDimension("y", RANKS);
    DimensionId x = file.defineDimension("x", LENGTH);
    VariableId v = file.defineVariable(name, ElementType.INT, y, x);
    file.endDefine();
    return v;
  }

  private static void put(NetcdfFile file, VariableId v, Group group, int value)
      throws IOException {
    int[] values = new int[LENGTH];
    java.util.Arrays.fill(values, value);
    long[] start = {group.rank(), 0};
    file.putAll(v, Selection.of(start, new long[] {1, LENGTH}), Values.of(values));
  }

  /** Leaves logs as a program does that is killed when it does not write to the file. */
  private void leaveSteadyLogs() throws IOException {
    Path saved = Files.createDirectory(folder.resolve("saved"));
    FileTime[] modified = new FileTime[1];
    leaveLogs(
        0,
        () -> {
          copyAll(logs, saved);
          modified[0] = Files.getLastModifiedTime(path);
        });
    copyAll(saved, logs);
    Files.setLastModifiedTime(path, modified[0]);
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(from)) {
      for (Path log : all) {
        Files.copy(log, to.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Leaves logs as a program does that is killed after so many writes of its second flush. */
  private void leaveLogs(int writes) throws IOException {
    leaveLogs(writes, () -> {});
  }

  private void leaveLogs(int writes, Step beforeSecondFlush) throws IOException {
    ThreadRanks.run(
        RANKS,
        group -> {
          NetcdfFile file =
              failing.create(
                  group,
                  path.toString(),
                  Format.CDF5,
                  CreateMode.NEW,
                  hints("cb_nodes=2;striping_unit=4KiB;cb_buffer_size=4KiB"));
          VariableId v = define(file, "v");
          put(file, v, group, 1);
          file.flush();
          put(file, v, group, 2);
          group.barrier();
          if (group.rank() == 0) beforeSecondFlush.run();
          group.barrier();
          writesLeft.set(writes);
          assertThatThrownBy(file::close).hasMessageContaining("killed");
        });
    assertThat(LogName.find(logs, path)).hasSize(RANKS);
  }

  private int[] inFile() throws IOException {
    int[] values = new int[RANKS * LENGTH];
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file = NetcdfFile.open(group, "direct:" + path, OpenMode.READ, Hints.none());
          file.get(file.variable("v"), Selection.all(), Values.of(values));
          file.close();
        });
    return values;
  }

  /** Replaces the file by one of the direct driver; its time is one that no log knows. */
  private void replace(String variable) throws IOException {
    ThreadRanks.run(
        RANKS,
        group -> {
          NetcdfFile file =
              NetcdfFile.create(
                  group, "direct:" + path, Format.CDF5, CreateMode.REPLACE, Hints.none());
          put(file, define(file, variable), group, 7);
          file.close();
        });
    later();
  }

  private void later() throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(LATER_SECONDS)));
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            NetcdfException.class, e -> assertThat(e.error()).isEqualTo(NetcdfError.LOG))
        .hasMessageContaining(reason)
        .hasMessageContaining("--discard");
  }

  @Test
  void aFileThatOnlyItsProgramHasChangedIsRecovered() throws IOException {
    leaveSteadyLogs();
    assertThat(inFile()).containsOnly(1);
    assertThat(LogRecovery.recover(path, logs, false).writes()).isEqualTo(RANKS);
    assertThat(inFile()).containsOnly(2);
  }

  @Test
  void aFlushThatWasInterruptedIsDoneAgain() throws IOException {
    leaveLogs(1);
    assertThat(inFile()).contains(1).contains(2);
    assertThat(LogRecovery.recover(path, logs, false).writes()).isEqualTo(RANKS);
    assertThat(inFile()).containsOnly(2);
    assertThat(logs).isEmptyDirectory();
    assertThat(folder).isDirectoryNotContaining("glob:**-recovery");
  }

  @Test
  void aFlushLongAfterTheLastChangeOfTheFileIsDoneAgain() throws IOException {
    Instant before = Instant.now().minusSeconds(LATER_SECONDS);
    leaveLogs(1, () -> Files.setLastModifiedTime(path, FileTime.from(before)));
    assertThat(LogRecovery.recover(path, logs, false).writes()).isEqualTo(RANKS);
    assertThat(inFile()).containsOnly(2);
  }

  @Test
  void aRecoveryThatWasInterruptedIsDoneAgain() throws IOException {
    leaveLogs(1);
    LogRecovery.Progress stops =
        (done, total) -> {
          if (done == total) throw new IllegalStateException("killed");
        };
    assertThatThrownBy(() -> LogRecovery.recover(path, logs, Mode.IF_SOUND, Match.REQUIRED, stops))
        .hasMessage("killed");
    assertThat(LogRecovery.recover(path, logs, false).writes()).isEqualTo(RANKS);
    assertThat(inFile()).containsOnly(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatTheDirectDriverHasReplacedIsNotTouched(boolean steady) throws IOException {
    if (steady) leaveSteadyLogs();
    else leaveLogs(0);
    replace("v");
    assertRefused(() -> LogRecovery.recover(path, logs, false), "another program changed it");
    ThreadRanks.run(
        RANKS,
        group ->
            assertRefused(
                () -> NetcdfFile.open(group, path.toString(), OpenMode.WRITE, hints("")),
                "another program changed it"));
    assertThat(inFile()).containsOnly(7);
    Hints discarding = hints("burst_buffer_overwrite=enable");
    ThreadRanks.run(
        RANKS,
        group -> NetcdfFile.open(group, path.toString(), OpenMode.WRITE, discarding).close());
    assertThat(inFile()).containsOnly(7);
    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void forcedRecoveryBringsTheWritesIntoTheFileAsItIs() throws IOException {
    leaveLogs(0);
    replace("v");
    LogRecovery.recover(path, logs, Mode.IF_SOUND, Match.TAKEN_FOR_GRANTED, (done, total) -> {});
    assertThat(inFile()).containsOnly(2);
  }

  @Test
  void aFileWithOtherDefinitionsIsNotTouched() throws IOException {
    leaveLogs(0);
    replace("other");
    byte[] before = Files.readAllBytes(path);
    assertRefused(() -> LogRecovery.recover(path, logs, false), "other definitions");
    assertRefused(() -> LogReader.open(path, logs), "another file");
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  @Test
  void anotherFileOfTheSameNameIsNotTouched() throws IOException {
    leaveLogs(0);
    FileTime modified = Files.getLastModifiedTime(path);
    Path copy = Files.copy(path, folder.resolve("copy"));
    Files.delete(path);
    // So that the other one cannot get the number of the one that is gone.
    Files.createFile(folder.resolve("in between"));
    Files.move(copy, path);
    Files.setLastModifiedTime(path, modified);
    assertRefused(() -> LogRecovery.recover(path, logs, false), "it is another file");
  }

  @Test
  void aFileThatWasChangedAfterAnInterruptedFlushIsNotTouched() throws IOException {
    leaveLogs(1);
    later();
    assertRefused(() -> LogRecovery.recover(path, logs, false), "another program changed it");
  }

  @Test
  void aFileThatPythonHasWrittenIsNotTouched() throws IOException, InterruptedException {
    String python = "/usr/bin/python3";
    assumeTrue(
        Files.isExecutable(Path.of(python))
            && new ProcessBuilder(python, "-c", "import netCDF4").start().waitFor() == 0,
        "Python's netCDF4 is not installed (Debian: python3-netcdf4)");
    leaveSteadyLogs();
    Path script = folder.resolve("write.py");
    Files.writeString(
        script,
        """
        import netCDF4, sys
        file = netCDF4.Dataset(sys.argv[1], "w", format="NETCDF3_64BIT_DATA")
        file.createDimension("y", 2)
        file.createDimension("x", 1000)
        file.createVariable("v", "i4", ("y", "x"))[:] = 7
        file.close()
        """);
    Tools.Outcome written = Tools.run(folder, python, script.toString(), path.toString());
    assertThat(written.exitCode()).isZero();
    assertRefused(() -> LogRecovery.recover(path, logs, false), "another program changed it");
    assertThat(inFile()).containsOnly(7);
  }

  @Test
  void logsOfTwoNodesAreRecoveredOneAfterTheOther() throws IOException {
    leaveLogs(0);
    Path second = Files.createDirectory(folder.resolve("second"));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(logs, "*-r1.*")) {
      for (Path log : all) Files.move(log, second.resolve(log.getFileName()));
    }
    assertThat(LogRecovery.recover(path, logs, false).writes()).isEqualTo(1);
    assertThat(inFile()).contains(1).contains(2);
    assertThat(LogRecovery.recover(path, second, false).writes()).isEqualTo(1);
    assertThat(inFile()).containsOnly(2);
    assertThat(folder).isDirectoryNotContaining("glob:**-recovery");
  }

  @Test
  void openingForWritingWithoutTheLogsSaysThatThereAreSome() throws IOException {
    leaveLogs(0);
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
    try {
      Hints direct = Hints.parse("burst_buffer_dir=" + logs);
      ThreadRanks.run(
          RANKS, group -> NetcdfFile.open(group, path.toString(), OpenMode.WRITE, direct).close());
    } finally {
      System.setErr(before);
    }
    assertThat(told.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("has logs with writes to it")
        .contains("forebay netcdf recover " + path);
  }
}
