// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of an instance with stages, which is the servers' work. */
@Timeout(240)
class StagesAtEndTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path base;

  private EmbeddedCluster cluster() throws Exception {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(MIB)
        .budget(32L * MIB, 32L * MIB)
        .stageRoots(List.of(base))
        .backingRoots(List.of(base))
        .start();
  }

  private static void write(Forebay client, String path, String content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(content.getBytes(UTF_8)), 0);
    }
  }

  private static void awaitGone(Cluster admin, String name) throws Exception {
    Eventually.await(() -> admin.map().instance(name) == null);
  }

  /** Defers a stage of one file, and leaves. */
  private static String defer(EmbeddedCluster cluster, String name, String from, Path to)
      throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri(name));
        Staging staging = Staging.of(client)) {
      write(client, "/result", "kept");
      return staging.start(StageRequest.out(from, to.toString()).withDeferred(true));
    }
  }

  @Test
  void deferredStagesAreRunAndTheDataIsDrainedThoughNoClientWaits() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("plain", InstanceOptions.defaults());
      Path store = Files.createDirectory(base.resolve("store"));
      admin.createInstance(
          "drained", InstanceOptions.defaults().withDrain(new DrainSpec(store.toString(), "end")));
      defer(cluster, "plain", "/result", base.resolve("of-plain"));
      defer(cluster, "drained", "/result", base.resolve("of-drained"));
      admin.destroyInstance("plain");
      admin.destroyInstance("drained");
      awaitGone(admin, "plain");
      awaitGone(admin, "drained");
      assertThat(base.resolve("of-plain")).hasContent("kept");
      assertThat(base.resolve("of-drained")).hasContent("kept");
      assertThat(store.resolve("result")).hasContent("kept");
    }
  }

  @Test
  void ofAPrivateInstanceAsWell() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("own", InstanceOptions.defaults().withAccess(Instance.Access.PRIVATE));
      ForebayOptions node = ForebayOptions.defaults().withNode("one");
      try (Forebay client = Forebay.connect(cluster.uri("own"), node);
          Staging staging = Staging.of(client)) {
        write(client, "/result", "kept");
        staging.start(
            StageRequest.out("/result", base.resolve("of-one").toString()).withDeferred(true));
      }
      admin.destroyInstance("own");
      awaitGone(admin, "own");
      assertThat(base.resolve("of-one")).hasContent("kept");
    }
  }

  @Test
  void aStageThatFailsKeepsTheInstanceUntilItSucceeds() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("held", InstanceOptions.defaults());
      // The destination is a directory that is not there and cannot be made: a file is in its way.
      Path obstacle = Files.writeString(base.resolve("obstacle"), "x");
      String id = defer(cluster, "held", "/result", obstacle.resolve("kept"));
      admin.destroyInstance("held");
      try (Forebay client = Forebay.connect(cluster.uri("held"));
          Staging staging = Staging.of(client)) {
        Eventually.await(() -> !staging.failedAtEnd().isEmpty());
        assertThat(staging.failedAtEnd()).extracting(StageStatus::id).containsExactly(id);
        assertThat(admin.map().instance("held").drain().ending()).isTrue();
        assertThatThrownBy(() -> write(client, "/more", "x"))
            .hasMessageContaining("'held' ends: nothing more is written to it");
        assertThatThrownBy(
                () -> staging.start(StageRequest.out("/result", base.resolve("new").toString())))
            .hasMessageContaining("'held' ends");
        Files.delete(obstacle);
        admin.destroyInstance("held");
        staging.retryFailed();
      }
      awaitGone(admin, "held");
      assertThat(obstacle.resolve("kept")).hasContent("kept");
    }
  }

  @Test
  void aStageThatFailsIsGivenUpByCancellingItOrWithTheInstance() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      for (String name : List.of("cancelled", "discarded")) {
        admin.createInstance(name, InstanceOptions.defaults());
        String id = defer(cluster, name, "/none", base.resolve(name));
        admin.destroyInstance(name);
        try (Forebay client = Forebay.connect(cluster.uri(name));
            Staging staging = Staging.of(client)) {
          Eventually.await(() -> !staging.failedAtEnd().isEmpty());
          if (name.equals("cancelled")) staging.cancel(id);
        }
        if (name.equals("discarded")) admin.discardInstance(name);
        awaitGone(admin, name);
        assertThat(base.resolve(name)).doesNotExist();
      }
    }
  }

  @Test
  void anotherServerContinuesTheEndOfAnInstance() throws Exception {
    int files = 200;
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("moved", InstanceOptions.defaults());
      String id;
      try (Forebay client = Forebay.connect(cluster.uri("moved"));
          Staging staging = Staging.of(client)) {
        client.mkdir("/many");
        for (int i = 0; i < files; i++) write(client, "/many/" + i, "file " + i);
        id =
            staging.start(
                StageRequest.out("/many", base.resolve("out").toString())
                    .withConcurrency(1)
                    .withDeferred(true));
        admin.destroyInstance("moved");
        StageStatus begun = staging.status(id);
        while (begun.server().isEmpty()) {
          Thread.sleep(10);
          begun = staging.status(id);
        }
        cluster.stop(Integer.parseInt(begun.server().substring("server-".length())) - 1);
      }
      awaitGone(admin, "moved");
      for (int i = 0; i < files; i++) {
        assertThat(base.resolve("out/" + i)).hasContent("file " + i);
      }
    }
  }
}
