// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.InstanceOptions;
import io.forebay.netcdf.store.FileNames;
import io.forebay.parallel.ThreadRanks;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random programs with every driver, every way of logging and every storage: the files are
 * the same, byte for byte, and every read on the way is what a model says. {@code
 * -Dforebay.netcdf.programs=500} runs more of them, {@code -Dforebay.seed=} a certain one.
 */
@Timeout(600)
class EveryModeTest {
  private static final int PROGRAMS = 9;
  private static final int STEPS = 25;
  private static final int RANKS_MAX = 9;
  private static final int RANKS_PER_NODE = 2;

  private static final String SHARED = EmbeddedCluster.DEFAULT_INSTANCE;
  private static final String PRIVATE = "private";

  private static EmbeddedCluster cluster;

  @TempDir Path folder;

  private Path logs;
  private String instance;

  /**
   * One way to write.
   *
   * @param onInstance whether the file is on an instance
   * @param logInstance the instance that the log is on; empty for a folder of this machine
   * @param logged the settings of the log; empty for none
   */
  private record Mode(String name, boolean onInstance, String logInstance, String logged) {
    boolean flushesBeforeReads() {
      return logged.contains("before_read=enable");
    }
  }

  private static final List<Mode> MODES =
      List.of(
          new Mode("direct on an instance", true, "", ""),
          new Mode("log per process", false, "", "burst_buffer_flush_size=64;cb_nodes=2"),
          new Mode("log per node", false, "", "burst_buffer_shared_logs=enable"),
          new Mode("bounded log", false, "", "burst_buffer_log_max=100"),
          new Mode(
              "strict",
              false,
              "",
              "burst_buffer_flush_before_read=enable;burst_buffer_shared_logs=enable"),
          new Mode(
              "in the background",
              false,
              "",
              "burst_buffer_background_flush=enable;burst_buffer_log_max=64"),
          new Mode(
              "in the background, log per node",
              false,
              "",
              "burst_buffer_background_flush=enable;burst_buffer_log_max=400;"
                  + "burst_buffer_shared_logs=enable;burst_buffer_flush_size=32"),
          new Mode("log on an instance", false, SHARED, "burst_buffer_publish_size=100"),
          new Mode("log on a private instance", false, PRIVATE, "burst_buffer_log_max=300"),
          new Mode(
              "all on an instance, log per node, in the background",
              true,
              SHARED,
              "burst_buffer_background_flush=enable;burst_buffer_log_max=200;"
                  + "burst_buffer_shared_logs=enable"));

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster = EmbeddedCluster.builder().servers(1).copies(1).start();
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          PRIVATE, InstanceOptions.defaults().withCopies(1).withAccess(Instance.Access.PRIVATE));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    for (String name : List.of(SHARED, PRIVATE)) {
      FileNames.parse(cluster.uri(name)).getFileSystem().close();
    }
    cluster.close();
  }

  @BeforeEach
  void names() throws IOException {
    logs = Files.createDirectory(folder.resolve("logs"));
    instance = cluster.uri();
  }

  @Test
  void filesAreTheSame() throws IOException {
    Long only = Long.getLong("forebay.seed");
    int programs = Integer.getInteger("forebay.netcdf.programs", PROGRAMS);
    long first = only == null ? 100 : only;
    for (long seed = first; seed < first + (only == null ? programs : 1); seed++) {
      Path direct = folder.resolve("direct.nc");
      run(direct.toString(), Hints.none(), seed, false);
      byte[] expected = Files.readAllBytes(direct);
      for (Mode mode : MODES) {
        try {
          assertThat(written(mode, seed)).isEqualTo(expected);
          assertThat(left(mode)).isEmpty();
        } catch (RuntimeException | IOException | AssertionError e) {
          throw new AssertionError("'" + mode.name + "' fails with -Dforebay.seed=" + seed, e);
        }
      }
    }
  }

  private byte[] written(Mode mode, long seed) throws IOException {
    String name = mode.onInstance ? instance + "/other.nc" : folder.resolve("other.nc").toString();
    Hints hints =
        mode.logged.isEmpty()
            ? Hints.none()
            : Hints.parse(
                "burst_buffer=enable;burst_buffer_dir=" + directory(mode) + ";" + mode.logged);
    run(name, hints, seed, !mode.logged.isEmpty() && !mode.flushesBeforeReads());
    return Files.readAllBytes(FileNames.parse(name));
  }

  private String directory(Mode mode) {
    return mode.logInstance.isEmpty() ? logs.toString() : cluster.uri(mode.logInstance) + "/logs";
  }

  private List<Path> left(Mode mode) throws IOException {
    Path directory = FileNames.parse(directory(mode));
    if (!Files.exists(directory)) return List.of();
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static void run(String name, Hints hints, long seed, boolean flushesBeforeReads)
      throws IOException {
    int ranks = 1 + (int) (seed % RANKS_MAX);
    ThreadRanks.run(
        ranks,
        RANKS_PER_NODE,
        group -> RandomProgram.run(group, name, hints, seed, STEPS, flushesBeforeReads));
  }
}
