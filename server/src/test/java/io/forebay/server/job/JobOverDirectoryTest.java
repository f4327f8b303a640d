// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.JobRequest;
import io.forebay.client.host.LocalIdentity;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job whose instance lies over a directory, as a cache in front of it. */
@Timeout(240)
class JobOverDirectoryTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path base;

  private EmbeddedCluster cluster() throws Exception {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(MIB)
        .budget(32L * MIB, 32L * MIB)
        .backingRoots(List.of(base))
        .withoutInstance()
        .start();
  }

  private JobRequest request(String token, Path over, String policy) {
    return JobRequest.of(token, LocalIdentity.current())
        .withInstance(
            InstanceOptions.defaults()
                .withCapacityBytes(8L * MIB)
                .withDrain(new DrainSpec(over.toString(), policy).asOver()));
  }

  private static void write(Forebay client, String path, String content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(content.getBytes(UTF_8)), 0);
    }
  }

  private static String read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      ByteBuffer into = ByteBuffer.allocate((int) file.size());
      while (into.hasRemaining() && file.read(into, into.position()) > 0) {}
      return new String(into.array(), UTF_8);
    }
  }

  /** Files and their times; a directory's own time follows its entries. */
  private static Map<String, FileTime> files(Path directory) throws IOException {
    Map<String, FileTime> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(each).toString(), Files.getLastModifiedTime(each));
      }
    }
    return files;
  }

  @Test
  void itsFilesAreThereAndWhatItWritesIsInTheDirectoryWhenItHasEnded() throws Exception {
    Path directory = Files.createDirectories(base.resolve("project/input")).getParent();
    Files.writeString(directory.resolve("input/mesh"), "mesh");
    Files.writeString(directory.resolve("old"), "old");
    Map<String, FileTime> before = files(directory);
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      JobRequest request = request("17", directory, "");
      assertThat(admin.beginJob(request)).isEqualTo(admin.beginJob(request));
      DrainSpec drain = admin.map().instance("job-17").drain();
      assertThat(drain.over()).isTrue();
      assertThat(drain.policy()).as("what is drained at the end").contains("end");
      try (Forebay client = Forebay.connect(cluster.uri("job-17"))) {
        assertThat(read(client, "/input/mesh")).isEqualTo("mesh");
        client.mkdir("/output");
        write(client, "/output/result", "result");
      }
      admin.endJob("17", false);
      Eventually.await(() -> admin.jobs().isEmpty());
      assertThat(admin.instances()).isEmpty();
    }
    assertThat(directory.resolve("output/result")).hasContent("result");
    Map<String, FileTime> after = files(directory);
    after.remove("output/result");
    assertThat(after).isEqualTo(before);
    assertThat(directory.resolve("input/mesh")).hasContent("mesh");
  }

  @Test
  void whatIsDrainedOnlyAtTheEndIsDrainedBeforeTheInstanceIsGone() throws Exception {
    Path directory = Files.createDirectories(base.resolve("project"));
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.beginJob(request("18", directory, "end"));
      try (Forebay client = Forebay.connect(cluster.uri("job-18"))) {
        for (int i = 0; i < 20; i++) write(client, "/rank-" + i, "of " + i);
      }
      assertThat(files(directory)).isEmpty();
      admin.endJob("18", false);
      Eventually.await(() -> admin.jobs().isEmpty());
      for (int i = 0; i < 20; i++) assertThat(directory.resolve("rank-" + i)).hasContent("of " + i);
      assertThat(files(directory)).hasSize(20);
    }
  }

  @Test
  void aDirectoryIsNotPrivate() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      for (Instance.Access access : List.of(Instance.Access.PRIVATE, Instance.Access.BOTH)) {
        JobRequest shared = request("19", base, "");
        InstanceOptions own = shared.instance();
        assertThatThrownBy(() -> admin.beginJob(shared.withInstance(own.withAccess(access))))
            .hasMessageContaining("shared access");
      }
      assertThat(admin.jobs()).isEmpty();
    }
  }
}
