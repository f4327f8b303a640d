// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.job.agent.AgentServer;
import io.forebay.job.library.MountedPaths.Mounted;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.MountOptions;
import io.forebay.mount.MountSettings;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.Mounts;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that use the library with a mounted instance. */
@Timeout(300)
class MountedLibraryTest {
  @TempDir private Path folder;
  private Path outside;
  private Path buffer;
  private EmbeddedCluster cluster;
  private ForebayMount mount;
  private LibraryCommand command;
  private AgentServer agent;
  private LibraryPrograms programs;

  @BeforeEach
  void start() throws IOException, InterruptedException, StartFailed {
    boolean available = true;
    try {
      FuseSession.check();
    } catch (IOException e) {
      available = false;
    }
    assumeTrue(available, "no FUSE here");
    outside = Files.createDirectory(folder.toRealPath().resolve("pfs"));
    buffer = Files.createDirectory(folder.toRealPath().resolve("buffer"));
    Path socket = folder.resolve("agent.sock");
    programs = LibraryPrograms.install(folder.resolve("usr"), socket);
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 64 << 20)
            .stageRoots(List.of(outside))
            .start();
    mount =
        ForebayMount.mount(
            cluster.uri(), buffer, MountSettings.defaults(), ForebayOptions.defaults());
    command = new LibraryCommand(MountedLibraryTest::mounted, ForebayOptions.defaults());
    agent = AgentServer.start(socket, Map.of(LibraryCommand.PROGRAM, command), Set.of());
  }

  private static Mounted mounted(String path) throws IOException {
    return Mounts.holding(Path.of(path))
        .filter(each -> ForebayMount.TYPES.contains(each.type()))
        .map(
            each ->
                new Mounted(
                    each.directory().toString(),
                    each.source(),
                    each.type().equals(ForebayMount.TYPE_PRIVATE)))
        .orElse(null);
  }

  @AfterEach
  void end() throws IOException {
    if (agent != null) agent.close();
    if (command != null) command.close();
    if (mount != null) mount.end();
    if (cluster != null) cluster.close();
  }

  @Test
  void aProgramForDataWarpRunsUnchanged() throws IOException, InterruptedException {
    Path program = programs.compile("checkpoint");
    Path input = Files.writeString(outside.resolve("input"), "HAL");
    String said =
        programs.run(
            List.of(program.toString(), input.toString(), outside.toString()),
            Map.of("DW_JOB_STRIPED", buffer + "/"));
    assertThat(said).isEqualTo("done");
    assertThat(outside.resolve("checkpoint")).hasContent("IBM");
    assertThat(outside.resolve("results")).doesNotExist();
    try (Cluster connection = Cluster.connect(cluster.uri())) {
      connection.destroyInstance(EmbeddedCluster.DEFAULT_INSTANCE);
      while (!connection.instances().isEmpty()) Thread.sleep(20);
    }
    assertThat(outside.resolve("results")).hasContent("IBM");
  }

  @Test
  void anInstanceWithATreeForAllAndOneForEachNode() throws IOException, InterruptedException {
    try (Cluster connection = Cluster.connect(cluster.uri())) {
      connection.createInstance(
          "both", InstanceOptions.defaults().withAccess(Instance.Access.BOTH));
    }
    Path dwcall = programs.compile("dwcall");
    Path shared = Files.createDirectory(folder.toRealPath().resolve("shared"));
    Path own = Files.createDirectory(folder.toRealPath().resolve("own"));
    String uri = cluster.uri("both");
    ForebayOptions options = ForebayOptions.defaults();
    MountSettings settings = new MountOptions().privateTree().settings();
    try (ForebayMount one = ForebayMount.mount(uri, shared, MountSettings.defaults(), options);
        ForebayMount other = ForebayMount.mount(uri, own, settings, options)) {
      Files.writeString(one.directory().resolve("file"), "shared");
      Files.writeString(other.directory().resolve("file"), "own");
      for (Path each : List.of(shared, own)) {
        Path target = outside.resolve(each.getFileName());
        assertThat(programs.call(dwcall, "query_file", each.resolve("file"))).isEqualTo("-22");
        assertThat(programs.call(dwcall, "file_out", each.resolve("file"), target, "immediate"))
            .isEqualTo("0");
        assertThat(programs.call(dwcall, "wait_file", each.resolve("file"))).isEqualTo("0");
        assertThat(target).hasContent(each.getFileName().toString());
      }
    }
  }

  @Test
  void pathsAreResolvedAsTheProgramSeesThem() throws IOException, InterruptedException {
    Path dwcall = programs.compile("dwcall");
    // What was written to a file that is still open is staged out.
    Path open = outside.resolve("open");
    assertThat(programs.call(dwcall, "write_and_stage", buffer.resolve("open"), open))
        .isEqualTo("0");
    assertThat(open).hasContent("open");
    // Through a link, and relative to the working directory.
    Path link = Files.createSymbolicLink(folder.resolve("link"), buffer);
    assertThat(programs.call(dwcall, "query_file", link + "//./open")).isEqualTo("0: 1 0 0 0");
    String relative = Path.of("").toAbsolutePath().relativize(buffer).resolve("open").toString();
    assertThat(programs.call(dwcall, "query_file", relative)).isEqualTo("0: 1 0 0 0");
    // Staged in, and read through the mount.
    assertThat(programs.call(dwcall, "file_in", buffer.resolve("new/deep/in"), open))
        .isEqualTo("0");
    assertThat(programs.call(dwcall, "wait_directory", buffer)).isEqualTo("0");
    assertThat(buffer.resolve("new/deep/in")).hasContent("open");
    // The paths of failures can be used.
    assertThat(programs.call(dwcall, "file_in", buffer.resolve("bad"), outside.resolve("none")))
        .isEqualTo("0");
    assertThat(programs.call(dwcall, "wait_file", buffer.resolve("bad"))).isEqualTo("-2");
    assertThat(programs.call(dwcall, "failures", buffer + "/"))
        .isEqualTo("-2 " + buffer.resolve("bad") + " 1\n0\n0");
    assertThat(programs.call(dwcall, "stripes", buffer)).startsWith("0: ");
    assertThat(programs.call(dwcall, "stripes", outside)).isEqualTo("-22");
  }
}
