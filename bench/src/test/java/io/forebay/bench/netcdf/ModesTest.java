// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.netcdf.crew.Crew;
import io.forebay.bench.netcdf.crew.Measured;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Trial;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.bench.netcdf.mode.ModeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the mode, the files are the same, byte for byte. */
class ModesTest {
  @TempDir private Path directory;
  private Path destination;
  private Path fast;
  private Path logs;

  @BeforeEach
  void directories() throws IOException {
    destination = Files.createDirectory(directory.resolve("destination"));
    fast = Files.createDirectory(directory.resolve("fast"));
    logs = Files.createDirectory(directory.resolve("logs"));
  }

  private static Workload small(Workload.Kind kind) {
    return switch (kind) {
      case IOR_CONTIGUOUS, IOR_STRIDED -> new Workload(kind, 4, 1 << 10, 16 << 10);
      case FLASH -> new Workload(kind, 4, 3, 2);
      case BTIO_STRONG -> new Workload(kind, 9, 11, 2);
      case BTIO_WEAK -> new Workload(kind, 4, 6, 2);
    };
  }

  @ParameterizedTest
  @EnumSource
  void filesAreTheSameInEveryMode(Workload.Kind kind) throws IOException {
    Workload workload = small(kind);
    Map<String, byte[]> direct = Map.of();
    try (Crew crew = Crew.ofThreads()) {
      for (Mode mode : Mode.values()) {
        Measured measured = crew.measure(trial(workload, mode, Store.FAST));
        assertThat(measured.writtenBytes())
            .as(mode.text())
            .isGreaterThanOrEqualTo(workload.pattern().totalBytes());
        Map<String, byte[]> files = taken();
        if (mode == Mode.DIRECT) direct = files;
        assertThat(files.keySet()).as(mode.text()).isEqualTo(direct.keySet());
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
          assertThat(file.getValue())
              .as(mode.text() + " " + file.getKey())
              .isEqualTo(direct.get(file.getKey()));
        }
        assertThat(fast).as(mode.text()).isEmptyDirectory();
        assertThat(logs).as(mode.text()).isEmptyDirectory();
      }
    }
    assertThat(direct).hasSize(workload.pattern().files().size());
  }

  @Test
  void theSlowProfileChangesNothingButTime() throws IOException {
    Workload workload = small(Workload.Kind.BTIO_WEAK);
    try (Crew crew = Crew.ofThreads()) {
      crew.measure(trial(workload, Mode.DIRECT, Store.FAST));
      byte[] quick = taken().get("btio.nc");
      crew.measure(trial(workload, Mode.LOG_PROCESS, Store.SLOW));
      assertThat(taken().get("btio.nc")).isEqualTo(quick);
    }
  }

  /** The same elements in a file that another library has written. */
  @ParameterizedTest
  @EnumSource(names = {"IOR_STRIDED", "FLASH", "BTIO_STRONG"})
  void pnetcdfWritesTheSame(Workload.Kind kind) throws IOException {
    PnetcdfProgram program = program();
    Workload workload = small(kind);
    Path theirs = Files.createDirectory(directory.resolve("theirs"));
    Path theirLogs = program.hasBurstBuffer(directory) ? logs : null;
    Path script = directory.resolve("script");
    for (Mode mode : List.of(Mode.DIRECT, Mode.LOG_PROCESS)) {
      program.write(workload.pattern(), script, theirs, mode.isLog() ? theirLogs : null);
      try (Crew crew = Crew.ofThreads()) {
        crew.measure(trial(workload, mode, Store.FAST));
      }
      for (String name : names(destination)) {
        assertThat(SameContent.difference(destination.resolve(name), theirs.resolve(name)))
            .isEmpty();
      }
    }
  }

  private PnetcdfProgram program() throws IOException {
    try {
      return PnetcdfProgram.compile(Files.createDirectory(directory.resolve("program")));
    } catch (BenchmarkImpossible missing) {
      assumeTrue(false, missing.getMessage());
      throw new IllegalStateException(missing);
    }
  }

  private Trial trial(Workload workload, Mode mode, Store store) {
    ModeFiles.Places places =
        new ModeFiles.Places(destination, fast, logs.toString(), store == Store.DEVICE);
    Trial trial = new Trial(workload, mode, places, store, 2, 0);
    assertThat(Trial.parse(trial.toLine())).isEqualTo(trial);
    return trial;
  }

  private Map<String, byte[]> taken() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : names(destination)) {
      files.put(name, Files.readAllBytes(destination.resolve(name)));
    }
    NetcdfGround.empty(destination);
    return files;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }
}
