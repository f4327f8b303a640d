// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.datawarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.job.directive.BufferPath.Root;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class WlmDocumentsTest {
  private static final long MIB = 1 << 20;

  private static final Registry NOTHING =
      new Registry(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  private static final Registry SOME =
      new Registry(
          List.of(new Registry.Pool("ssd", 16 * MIB, 6400, 6300, 0)),
          List.of(
              new Registry.Session(
                  75, Registry.State.READY, "347", 1000, "SLURM", 1_446_023_989, 0, List.of("n1"))),
          List.of(
              new Registry.Instance(
                  75,
                  new Registry.State(true, true, false, true),
                  75,
                  1600 * MIB,
                  4,
                  1_446_023_989,
                  0,
                  true,
                  "Mary's data",
                  false,
                  new Registry.Limits(86_400, 10, 0, 0),
                  List.of(73L))),
          List.of(
              new Registry.Configuration(73, Registry.State.READY, 75, "scratch", "striped", 1)),
          List.of(new Registry.Activation(9, Registry.State.READY, 75, 73, 1, "/mnt/job/347")),
          List.of(new Registry.Fragment(11, Registry.State.READY, 75, 400 * MIB, "bb1")),
          List.of(new Registry.Node("bb1", "ssd", true, false, 16 * MIB, 25_600 * MIB, 1, 1)));

  @Test
  void poolsAreInGranules() {
    assertThat(WlmDocuments.pools(SOME))
        .isEqualTo(
            "{\"pools\":[{\"id\":\"ssd\",\"units\":\"bytes\",\"granularity\":16777216,"
                + "\"quantity\":6400,\"free\":6300}]}\n");
  }

  @Test
  void nothingIsAnEmptyList() {
    // Slurm's plugin crashes without the key.
    assertThat(WlmDocuments.pools(NOTHING)).isEqualTo("{\"pools\":[]}\n");
    assertThat(WlmDocuments.sessions(NOTHING)).isEqualTo("{\"sessions\":[]}\n");
    assertThat(WlmDocuments.instances(NOTHING)).isEqualTo("{\"instances\":[]}\n");
    assertThat(WlmDocuments.configurations(NOTHING)).isEqualTo("{\"configurations\":[]}\n");
  }

  @Test
  void sessionsAndInstancesHaveIntegersAsIds() {
    assertThat(WlmDocuments.sessions(SOME))
        .startsWith("{\"sessions\":[{\"id\":75,\"token\":\"347\",\"owner\":1000,")
        .contains("\"created\":1446023989,\"creator\":\"SLURM\",\"expiration\":0,\"expired\":false")
        .contains("\"links\":{\"client_nodes\":[\"n1\"]}");
    assertThat(WlmDocuments.instances(SOME))
        .startsWith("{\"instances\":[{\"id\":75,\"capacity\":{\"bytes\":1677721600,\"nodes\":4},")
        .contains("\"links\":{\"session\":75,\"configurations\":[73]}")
        .contains("\"goal\":\"destroy\"");
    assertThat(WlmDocuments.configurations(SOME))
        .contains("{\"id\":73,")
        .contains("\"links\":{\"instance\":75}");
  }

  @Test
  void noDocumentHasAnApostrophe() {
    assertThat(WlmDocuments.instances(SOME)).doesNotContain("'").contains("Mary_s data");
  }

  @Test
  void aSizeIsInBytes() {
    assertThat(WlmDocuments.realSize(42)).isEqualTo("{\"units\":\"bytes\",\"capacity\":42}\n");
  }

  @Test
  void tablesHaveTheColumnsOfDwstat() {
    StatusTables tables = new StatusTables(SOME, false, ZoneOffset.UTC);
    assertThat(tables.table(StatusTables.Kind.POOLS))
        .isEqualTo(
            """
            pool units quantity     free  gran
             ssd bytes   100GiB 98.44GiB 16MiB
            """);
    assertThat(tables.table(StatusTables.Kind.SESSIONS))
        .isEqualTo(
            """
            sess state token creator owner             created expiration nodes
              75 CA---   347   SLURM  1000 2015-10-28T09:19:49      never     1
            """);
    assertThat(tables.table(StatusTables.Kind.INSTANCES))
        .isEqualTo(
            """
            inst state sess   bytes nodes             created expiration intact       label public confs
              75 DA-T-   75 1.56GiB     4 2015-10-28T09:19:49      never   True Mary's data  False     1
            """);
    assertThat(tables.table(StatusTables.Kind.CONFIGURATIONS)).contains("scratch     striped");
    assertThat(tables.table(StatusTables.Kind.ACTIVATIONS)).contains("/mnt/job/347");
    assertThat(tables.table(StatusTables.Kind.FRAGMENTS)).contains("400MiB  bb1");
    assertThat(tables.table(StatusTables.Kind.NODES)).contains("online").contains("25GiB");
  }

  @Test
  void aTimeThatIsNotKnownIsNotNever() {
    Registry.Session persistent =
        new Registry.Session(3, Registry.State.READY, "atlas", 0, "forebay", 0, 0, List.of());
    Registry registry =
        new Registry(
            List.of(), List.of(persistent), List.of(), List.of(), List.of(), List.of(), List.of());
    assertThat(new StatusTables(registry, false, ZoneOffset.UTC).table(StatusTables.Kind.SESSIONS))
        .endsWith("forebay     0       -      never     0\n");
  }

  @Test
  void tablesCanShowBytes() {
    assertThat(new StatusTables(SOME, true, ZoneOffset.UTC).table(StatusTables.Kind.POOLS))
        .contains("107374182400");
  }

  @Test
  void anEmptyTableIsOneLine() {
    assertThat(new StatusTables(NOTHING, false, ZoneOffset.UTC).table(StatusTables.Kind.SESSIONS))
        .isEqualTo("no sessions\n");
  }

  @Test
  void variablesEndWithASlash() {
    assertThat(
            PathVariables.lines(
                List.of(
                    new PathVariables.Mount(Root.JOB_STRIPED, "", "/mnt/7/striped"),
                    new PathVariables.Mount(Root.PERSISTENT_STRIPED, "atlas", "/mnt/atlas/"))))
        .isEqualTo(
            """
            DW_JOB_STRIPED=/mnt/7/striped/
            DW_PERSISTENT_STRIPED_atlas=/mnt/atlas/
            """);
    assertThatThrownBy(
            () ->
                PathVariables.lines(
                    List.of(new PathVariables.Mount(Root.JOB_STRIPED, "", "/a\nPATH=/b"))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
