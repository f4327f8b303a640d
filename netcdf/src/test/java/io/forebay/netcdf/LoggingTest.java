// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.logging.LogContent;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.driver.logging.LogReader;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoggingTest {
  @TempDir Path folder;

  private Path path;
  private Path logs;

  @BeforeEach
  void names() throws IOException {
    path = folder.resolve("file.nc");
    logs = Files.createDirectory(folder.resolve("logs"));
  }

  private Hints hints(String more) throws NetcdfException {
    return Hints.parse("burst_buffer=enable;burst_buffer_dir=" + logs + ";" + more);
  }

  private NetcdfFile create(Group group, String more) throws IOException {
    NetcdfFile file =
        NetcdfFile.create(group, path.toString(), Format.CDF5, CreateMode.NEW, hints(more));
    DimensionId t = file.defineDimension("t", Dimension.UNLIMITED);
    DimensionId x = file.defineDimension("x", 8);
    file.defineVariable("v", ElementType.INT, t, x);
    file.defineVariable("w", ElementType.SHORT, x);
    file.endDefine();
    return file;
  }

  private static Selection row(long record, long from, long count) {
    return Selection.of(new long[] {record, from}, new long[] {1, count});
  }

  private int[] inFile(String variable, int elements) throws IOException {
    int[] values = new int[elements];
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file = NetcdfFile.open(group, "direct:" + path, OpenMode.READ, Hints.none());
          file.get(file.variable(variable), Selection.all(), Values.of(values));
          file.close();
        });
    return values;
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.toList();
    }
  }

  @Test
  void writesStayInTheLogAndAreReadFromIt() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, "");
          VariableId v = file.variable("v");
          int rank = group.rank();
          file.putAll(v, row(1, 4L * rank, 4), Values.of(1, 2, 3, 4));
          file.put(v, row(1, 4L * rank + 1, 2), Values.of(7.9, 8.9));
          // Everybody knows of the records; the file does not.
          assertThat(file.header().recordCount()).isEqualTo(2);
          double[] own = new double[4];
          file.get(v, row(1, 4L * rank, 4), Values.of(own));
          assertThat(own).containsExactly(1, 7, 8, 4);
          int[] before = new int[8];
          file.getAll(v, row(0, 0, 8), Values.of(before));
          assertThat(before).containsOnly(0);
          if (rank == 0) assertThat(inFile("v", 0)).isEmpty();
          group.barrier();
          file.flush();
          group.barrier();
          if (rank == 0) {
            assertThat(inFile("v", 16))
                .containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 8, 4, 1, 7, 8, 4);
          }
          group.barrier();
          file.close();
        });
    assertThat(left()).isEmpty();
  }

  @Test
  void everyRankKnowsOfAllRecordsWithoutAFlush() throws IOException {
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group, "burst_buffer_agree=enable");
          VariableId v = file.variable("v");
          file.putAll(v, row(group.rank(), 0, 1), Values.of(1));
          assertThat(file.header().recordCount()).isEqualTo(3);
          // One rank by itself: the others know when they have asked.
          if (group.rank() == 1) {
            file.put(v, row(7, 0, 1), Values.of(1));
            assertThat(file.header().recordCount()).isEqualTo(8);
          }
          file.syncRecords();
          assertThat(file.header().recordCount()).isEqualTo(8);
          int[] unwritten = new int[8];
          file.getAll(v, row(6, 0, 8), Values.of(unwritten));
          assertThat(unwritten).containsOnly(0);
          assertThat(file.statistics().flushes()).isZero();
          file.close();
        });
    assertThat(inFile("v", 64)).hasSize(64);
  }

  @Test
  void strictReadsSeeWhatOthersWrote() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, "burst_buffer_flush_before_read=enable");
          VariableId v = file.variable("v");
          file.putAll(v, row(0, 4L * group.rank(), 4), Values.of(1, 2, 3, 4));
          if (group.rank() == 1) file.put(v, row(0, 0, 1), Values.of(9));
          int[] all = new int[8];
          file.getAll(v, row(0, 0, 8), Values.of(all));
          assertThat(all).containsExactly(9, 2, 3, 4, 1, 2, 3, 4);
          assertThat(file.statistics().flushes()).isEqualTo(1);
          file.close();
        });
  }

  @Test
  void theNewestWriteCountsWhicheverRankMadeIt() throws IOException {
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group, "burst_buffer_flush_size=1");
          VariableId w = file.variable("w");
          for (int step = 0; step < 3; step++) {
            // Ranks 2, 1, 0 in turn: each write overlaps the one before.
            boolean turn = group.rank() == 2 - step;
            Selection part =
                turn ? Selection.of(new long[] {step}, new long[] {4}) : Selection.none();
            int[] values = new int[turn ? 4 : 0];
            java.util.Arrays.fill(values, step + 1);
            file.putAll(w, part, Values.of(values));
          }
          file.close();
        });
    assertThat(inFile("w", 8)).containsExactly(1, 2, 3, 3, 3, 3, 0, 0);
  }

  @Test
  void writesOfOneRankGoInRoundsAndBeforeTheNextOfAll() throws IOException {
    int writes = 10;
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group, "burst_buffer_flush_size=40");
          VariableId v = file.variable("v");
          for (int i = 0; i <= writes * group.rank(); i++) {
            file.put(v, row(group.rank(), 0, 8), Values.of(i, i, i, i, i, i, i, i));
          }
          // Of the lowest rank, and still over what others wrote by themselves.
          file.putAll(
              v,
              group.rank() == 0 ? row(2, 2, 1) : Selection.none(),
              group.rank() == 0 ? Values.of(77) : Values.of(new int[0]));
          file.put(v, row(group.rank(), 3, 1), Values.of(-1));
          file.close();
          // Each write has 32 bytes, and rank 2 made 21 of them.
          assertThat(file.statistics().flushRounds()).isBetween(2L * writes, 2L * writes + 4);
        });
    assertThat(inFile("v", 24))
        .containsExactly(
            0, 0, 0, -1, 0, 0, 0, 0, 10, 10, 10, -1, 10, 10, 10, 10, 20, 20, 77, -1, 20, 20, 20,
            20);
  }

  @Test
  void ranksDoNotWaitForEachOtherInWrites() throws IOException {
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group, "");
          VariableId v = file.variable("v");
          // One rank behind the other: with any agreement the first would wait for ever.
          for (int turn = 0; turn < group.size(); turn++) {
            if (turn == group.rank()) {
              file.putAll(v, row(turn, 0, 1), Values.of(turn));
              assertThat(file.header().recordCount()).isEqualTo(turn + 1);
            }
            group.barrier();
          }
          file.syncRecords();
          assertThat(file.header().recordCount()).isEqualTo(3);
          // All write one element; the order of calls and then of ranks decides, as ever.
          file.putAll(v, row(0, 1, 1), Values.of(10 + group.rank()));
          file.close();
        });
    assertThat(inFile("v", 24)).startsWith(0, 12).containsOnlyOnce(1, 2);
  }

  @Test
  void aWriteThatFailsConcernsItsRankOnly() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, "");
          VariableId v = file.variable("v");
          VariableId w = file.variable("w");
          Selection own = Selection.at(group.rank());
          if (group.rank() == 0) {
            file.putAll(w, own, Values.of(5));
            file.putAll(v, row(0, 0, 1), Values.of(1));
          } else {
            assertThatThrownBy(() -> file.putAll(w, own, Values.of(100_000)))
                .isInstanceOfSatisfying(
                    NetcdfException.class,
                    e -> assertThat(e.error()).isEqualTo(NetcdfError.OUT_OF_RANGE));
            assertThatThrownBy(() -> file.putAll(v, row(0, 8, 1), Values.of(2)))
                .isInstanceOfSatisfying(
                    NetcdfException.class,
                    e -> assertThat(e.error()).isEqualTo(NetcdfError.OUT_OF_BOUNDS));
          }
          // A call that failed counts: what comes later goes over it, and over all before it.
          file.putAll(v, row(0, 0, 1), Values.of(3 - group.rank()));
          file.close();
        });
    assertThat(inFile("w", 8)).startsWith(5, -32767);
    assertThat(inFile("v", 8)).startsWith(2);
  }

  @Test
  void valuesThatDoNotFitAreToldWhenTheyAreWritten() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, "burst_buffer_agree=enable");
          VariableId w = file.variable("w");
          Selection own = Selection.at(group.rank());
          assertThatThrownBy(() -> file.putAll(w, own, Values.of(100_000 * group.rank())))
              .isInstanceOfSatisfying(
                  NetcdfException.class,
                  e -> assertThat(e.error()).isEqualTo(NetcdfError.OUT_OF_RANGE));
          file.close();
        });
    assertThat(inFile("w", 8)).startsWith(0, -32767);
  }

  @Test
  void anotherProgramLooksOn() throws IOException {
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = create(group, "burst_buffer_shared_logs=enable");
          VariableId v = file.variable("v");
          file.putAll(v, row(0, 2L * group.rank(), 2), Values.of(group.rank(), 5));
          file.flush();
          file.putAll(v, row(1, 2L * group.rank(), 2), Values.of(10L + group.rank(), 6));
          group.barrier();
          if (group.rank() == 0) {
            try (LogReader reader = LogReader.open(path, logs)) {
              assertThat(reader.header().recordCount()).isEqualTo(2);
              assertThat(reader.logs()).hasSize(3);
              int[] all = new int[16];
              Subarray whole = Subarray.of(new long[] {0, 0}, new long[] {2, 8});
              reader.get("v", whole, Values.of(all));
              assertThat(all).containsExactly(0, 5, 1, 5, 2, 5, 0, 0, 10, 6, 11, 6, 12, 6, 0, 0);
            }
          }
          group.barrier();
          // A log in use is not recovered.
          if (group.rank() == 0) {
            assertThatThrownBy(() -> LogRecovery.recover(path, logs, true))
                .hasMessageContaining("in use");
          }
          group.barrier();
          file.close();
        });
  }

  /** Leaves logs as a killed program does: what is in them never got to the file. */
  private void leaveLogs(String more) throws IOException {
    Path saved = Files.createDirectories(folder.resolve("saved"));
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, more);
          VariableId v = file.variable("v");
          file.putAll(v, row(0, 0, 8), Values.of(9, 9, 9, 9, 9, 9, 9, 9));
          file.flush();
          file.putAll(v, row(2, 4L * group.rank(), 4), Values.of(1, 2, 3, 4));
          file.put(v, row(2, 4L * group.rank(), 1), Values.of(70 + group.rank()));
          group.barrier();
          if (group.rank() == 0) {
            save(saved);
            for (Path log : left()) copy(log, saved.resolve(log.getFileName()));
          }
          group.barrier();
          file.close();
        });
    restore(saved);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static final int[] RECOVERED = {
    9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 70, 2, 3, 4, 71, 2, 3, 4
  };

  @Test
  void leftLogsAreRecovered() throws IOException {
    leaveLogs("");
    assertThat(inFile("v", 8)).containsOnly(9);
    LogRecovery.Recovered recovered = LogRecovery.recover(path, logs, false);
    assertThat(recovered).isEqualTo(new LogRecovery.Recovered(2, 4, 40, 0));
    assertThat(inFile("v", 24)).containsExactly(RECOVERED);
    assertThat(left()).isEmpty();
    assertThat(LogRecovery.recover(path, logs, false).logs()).isZero();
  }

  @Test
  void leftLogsAreRecoveredWhenTheFileIsOpened() throws IOException {
    leaveLogs("burst_buffer_shared_logs=enable");
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file = NetcdfFile.open(group, path.toString(), OpenMode.WRITE, hints(""));
          assertThat(file.header().recordCount()).isEqualTo(3);
          file.close();
        });
    assertThat(inFile("v", 24)).containsExactly(RECOVERED);
    assertThat(left()).isEmpty();
  }

  @Test
  void aProgramThatWasKilledWhenOnlySomeLogsHadBegunAnew() throws IOException {
    Path saved = Files.createDirectories(folder.resolve("saved"));
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, "");
          VariableId w = file.variable("w");
          // Rank 1 first, and rank 0 over it.
          for (int writer = 1; writer >= 0; writer--) {
            boolean turn = group.rank() == writer;
            file.putAll(
                w, turn ? Selection.at(0) : Selection.none(), Values.of(new int[turn ? 1 : 0]));
            if (turn) file.put(w, Selection.at(1), Values.of(10 + writer));
            file.syncRecords();
          }
          group.barrier();
          if (group.rank() == 1) saveLogs("-r1.", saved);
          group.barrier();
          file.flush();
          if (group.rank() == 0) {
            saveLogs("-r0.", saved);
            save(saved);
          }
          group.barrier();
          file.close();
        });
    restore(saved);
    LogRecovery.Recovered recovered = LogRecovery.recover(path, logs, false);
    // All of it was in the file; the older value of rank 1 must not come over that of rank 0.
    assertThat(recovered).isEqualTo(new LogRecovery.Recovered(2, 0, 0, 0));
    assertThat(inFile("w", 8)).startsWith(0, 10);
    assertThat(left()).isEmpty();
  }

  private void saveLogs(String owner, Path saved) throws IOException {
    for (Path log : left()) {
      if (log.toString().contains(owner)) copy(log, saved.resolve(log.getFileName()));
    }
  }

  private void save(Path saved) throws IOException {
    Files.copy(path, saved.resolve("file.nc"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  /** As if the program had been killed then: the same file, not changed since. */
  private void restore(Path saved) throws IOException {
    Path file = saved.resolve("file.nc");
    Files.write(path, Files.readAllBytes(file));
    Files.setLastModifiedTime(path, Files.getLastModifiedTime(file));
    try (Stream<Path> all = Files.list(saved)) {
      for (Path log : all.filter(p -> !p.endsWith("file.nc")).toList()) {
        copy(log, logs.resolve(log.getFileName()));
      }
    }
  }

  @Test
  void leftLogsOfALostFileAreNotThrownAwaySilently() throws IOException {
    leaveLogs("");
    Files.delete(path);
    ThreadRanks.run(
        2,
        group -> {
          assertThatThrownBy(() -> create(group, ""))
              .isInstanceOfSatisfying(
                  NetcdfException.class, e -> assertThat(e.error()).isEqualTo(NetcdfError.LOG));
          create(group, "burst_buffer_overwrite=enable").close();
        });
    assertThat(left()).isEmpty();
  }

  @Test
  void damagedWritesAreTold() throws IOException {
    leaveLogs("");
    LogName first = LogName.find(logs, path).getFirst();
    byte[] data = Files.readAllBytes(first.data());
    data[1] ^= 1;
    Files.write(first.data(), data);
    assertThatThrownBy(() -> LogRecovery.recover(path, logs, false))
        .isInstanceOfSatisfying(
            NetcdfException.class, e -> assertThat(e.error()).isEqualTo(NetcdfError.LOG));
    assertThat(LogRecovery.recover(path, logs, true).damaged()).isEqualTo(1);
    assertThat(inFile("v", 24)).endsWith(70, 0, 0, 0, 71, 2, 3, 4);
    assertThat(left()).allMatch(log -> log.toString().endsWith(".damaged"));
  }

  @Test
  void aTornEntryIsTheEndOfALog() throws IOException {
    leaveLogs("");
    LogName first = LogName.find(logs, path).getFirst();
    byte[] entries = Files.readAllBytes(first.entries());
    for (int cut : new int[] {1, 50, 90, 200}) {
      Files.write(first.entries(), java.util.Arrays.copyOf(entries, entries.length - cut));
      for (LogContent log : LogContent.read(first)) {
        assertThat(log.entries().size()).isLessThan(2);
        log.close();
      }
    }
  }
}
