// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that has no tree of its own stages into the private trees of other nodes. */
@Timeout(120)
class StageForNodesTest {
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String AGENT = "agent";

  @TempDir private static Path base;
  private static EmbeddedCluster cluster;
  private static String source;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    source = Files.writeString(base.resolve("input"), "staged").toString();
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(MIB)
            .budget(32L * MIB, 32L * MIB)
            .stageRoots(List.of(base))
            .withoutInstance()
            .start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static String instance(Instance.Access access) throws IOException {
    return instance(access.name(), access);
  }

  private static String instance(String name, Instance.Access access) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.createInstance(name, options(access));
      return cluster.uri(name);
    }
  }

  private static InstanceOptions options(Instance.Access access) {
    return InstanceOptions.defaults().withAccess(access);
  }

  private static Forebay board(String uri) throws IOException {
    return Forebay.connect(uri, StageBoard.options(ForebayOptions.defaults().withNode(AGENT)));
  }

  private static List<String> names(String uri, String node, boolean own) throws IOException {
    ForebayOptions options = ForebayOptions.defaults().withNode(node).withPrivateTree(own);
    List<String> names = new ArrayList<>();
    try (Forebay client = Forebay.connect(uri, options)) {
      client.list("/").forEachRemaining(entry -> names.add(entry.name()));
    }
    return names;
  }

  @ParameterizedTest
  @EnumSource(names = {"PRIVATE", "BOTH"})
  void eachNodeGetsWhatIsStagedForIt(Instance.Access access) throws IOException {
    String uri = instance(access);
    try (Forebay board = board(uri);
        Staging staging = Staging.of(board)) {
      for (String node : List.of("n1", "n2")) {
        staging.ofNode(node).startAs("to." + node, StageRequest.in(source, "/in-" + node));
        assertThat(staging.await("to." + node, PATIENCE, now -> {}).state())
            .isEqualTo(StageStatus.State.DONE);
      }
    }
    assertThat(names(uri, "n1", true)).containsExactly("in-n1");
    assertThat(names(uri, "n2", true)).containsExactly("in-n2");
    assertThat(names(uri, AGENT, true)).isEmpty();
    if (access == Instance.Access.BOTH) assertThat(names(uri, AGENT, false)).isEmpty();
    else assertNoTreeOfAll(uri);
  }

  @ParameterizedTest
  @EnumSource(names = {"PRIVATE", "BOTH"})
  void aClientOfAHostUsesTheTreeOfTheNodeThatTheHostIs(Instance.Access access) throws IOException {
    String uri = instance("own-" + access, access);
    ForebayOptions named = ForebayOptions.defaults().withTreeOf("n3").withPrivateTree(true);
    assertThat(named.node()).isEqualTo(ForebayOptions.defaults().node());
    try (Forebay client = Forebay.connect(uri, named);
        Staging staging = Staging.of(client)) {
      String id = staging.start(StageRequest.in(source, "/in"));
      assertThat(staging.await(id, PATIENCE, now -> {}).state()).isEqualTo(StageStatus.State.DONE);
      assertThat(client.stat("/in").sizeBytes()).isPositive();
    }
    assertThat(names(uri, "n3", true)).containsExactly("in");
    assertThat(names(uri, named.node(), true)).isEmpty();
  }

  private static void assertNoTreeOfAll(String uri) throws IOException {
    try (Forebay board = board(uri);
        Staging staging = Staging.of(board)) {
      assertThatThrownBy(() -> staging.start(StageRequest.in(source, "/in")))
          .hasMessageContaining("each tree of instance 'PRIVATE' belongs to a node");
    }
  }

  @Test
  void withSharedAccessNoNodeHasATree() throws IOException {
    try (Forebay board = board(instance(Instance.Access.SHARED));
        Staging staging = Staging.of(board)) {
      assertThatThrownBy(() -> staging.ofNode("n1"))
          .hasMessageContaining("'SHARED' has shared access, so node 'n1' has no tree");
      assertThatThrownBy(() -> staging.ofNode("@stage"))
          .hasMessageContaining("'@stage' is no name of a node");
    }
  }
}
