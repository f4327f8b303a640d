// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.host.LocalIdentity;
import io.forebay.client.link.ClusterLink;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.job.service.Command.Answer;
import io.forebay.job.service.Command.Call;
import io.forebay.job.service.Command.Caller;
import io.forebay.job.service.WlmCommands;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.stage.side.StageAccess;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Directives that stage into the private trees of a job's nodes, on a real ring. */
@Timeout(300)
class PrivateStagesTest {
  private static final int MIB = 1 << 20;
  private static final String TOKEN = "12";
  private static final String JOB_INSTANCE = "job-" + TOKEN;
  private static final List<String> NODES = List.of("n1", "n2");

  /** So slow that the files below take most of a minute, and each of them a part of a second. */
  private static final long SLOW_BYTES_PER_SECOND = 64 << 10;

  private static final int SLOW_FILES = 200;
  private static final int SLOW_FILE_BYTES = 16 << 10;

  private static final long LOOK_MILLIS = 50;

  private static final Answer DONE = new Answer(0, "");

  @TempDir private Path folder;
  private Path pfs;
  private EmbeddedCluster cluster;
  private ClusterLink link;
  private ClusterJobs jobs;
  private ReportingAgents agents;

  private void start(long stageBytesPerSecond) throws IOException, StartFailed {
    pfs = Files.createDirectory(folder.resolve("pfs"));
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(MIB)
            .granuleBytes(MIB)
            .budget(32L * MIB, 64L * MIB)
            .staging(new StageAccess(List.of(pfs), stageBytesPerSecond))
            .withoutInstance()
            .start();
    link = new ClusterLink(cluster.uri(""), ForebayOptions.defaults());
    jobs = new ClusterJobs(link, new ClusterJobs.Settings("/mnt/forebay/%t", 2));
    agents = new ReportingAgents(cluster.uri(""), NODES);
  }

  @AfterEach
  void end() {
    agents.close();
    jobs.close();
    link.close();
    cluster.close();
  }

  private Answer run(String function, String words) {
    return run(function, words, true);
  }

  private Answer run(String function, String words, boolean waiting) {
    String line =
        "--function %s --token %s --job %s/script %s".formatted(function, TOKEN, folder, words);
    return new WlmCommands(jobs)
        .run(
            new Call(
                "dw_wlm_cli",
                List.of(line.strip().split(" ", -1)),
                "/",
                new Caller(0, 0, true),
                () -> waiting));
  }

  private Answer preRun() {
    return run("pre_run", "--nodes n1,n2");
  }

  /** A job whose script has a buffer of an access mode, and other directives. */
  private void setUp(String access, String directives) throws IOException {
    Files.writeString(
        folder.resolve("script"),
        "#DW jobdw capacity=16MiB pool=default access_mode=%s\n%s".formatted(access, directives));
    Identity user = LocalIdentity.current();
    String users = "--user %d --groupid %d".formatted(user.user(), user.groups().getFirst());
    assertThat(run("setup", "--caller SLURM " + users)).isEqualTo(DONE);
  }

  private String stageIn(String type, String source, String destination) {
    return "#DW stage_in type=%s source=%s/%s destination=%s\n"
        .formatted(type, pfs, source, destination);
  }

  /** The files in a tree, with their directories. */
  private List<String> filesOf(String node, boolean own) throws IOException {
    ForebayOptions options = ForebayOptions.defaults().withNode(node).withPrivateTree(own);
    List<String> files = new ArrayList<>();
    try (Forebay client = Forebay.connect(cluster.uri(JOB_INSTANCE), options)) {
      add(client, "/", files);
    }
    return files;
  }

  private static void add(Forebay client, String directory, List<String> files) throws IOException {
    List<String> names = new ArrayList<>();
    client.list(directory).forEachRemaining(entry -> names.add(entry.name()));
    for (String name : names) {
      String path = directory + name;
      if (client.stat(path).isDirectory()) add(client, path + "/", files);
      else files.add(path);
    }
  }

  private List<StageStatus> stages() throws IOException {
    ForebayOptions options = StageBoard.options(ForebayOptions.defaults());
    try (Forebay board = Forebay.connect(cluster.uri(JOB_INSTANCE), options);
        Staging staging = Staging.of(board)) {
      return staging.all();
    }
  }

  private void assertEnds() throws IOException, InterruptedException {
    assertThat(run("teardown", "")).isEqualTo(DONE);
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      while (!admin.jobs().isEmpty()) TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      assertThat(admin.instances()).isEmpty();
    }
  }

  @Test
  void eachNodeGetsItsFilesWhenNodesAreKnownAndTheSharedTreeGetsNone() throws Exception {
    start(0);
    Files.writeString(pfs.resolve("in"), "input");
    Files.createDirectory(pfs.resolve("more"));
    Files.writeString(pfs.resolve("more/file"), "more");
    Path list = folder.resolve("list");
    Files.writeString(
        list, "%s/in $DW_JOB_PRIVATE/listed\n%s/in $DW_JOB_STRIPED/listed\n".formatted(pfs, pfs));
    setUp(
        "striped,private",
        stageIn("file", "in", "$DW_JOB_STRIPED/shared")
            + stageIn("file", "in", "$DW_JOB_PRIVATE/deep/own")
            + stageIn("directory", "more", "$DW_JOB_PRIVATE/")
            + "#DW stage_in type=list source=%s\n".formatted(list));

    assertThat(run("data_in", "")).isEqualTo(DONE);
    assertThat(stages())
        .extracting(StageStatus::id)
        .containsExactlyInAnyOrder("12.in.0", "12.in.3", "12.look");
    assertThat(run("pre_run", "--nodes n1,n2", false).text())
        .isEqualTo("the caller of token 12 is gone; its stages go on\n");
    assertThat(preRun()).isEqualTo(DONE);

    for (String node : NODES) {
      assertThat(filesOf(node, true)).containsExactlyInAnyOrder("/deep/own", "/file", "/listed");
    }
    assertThat(filesOf("n1", false)).containsExactlyInAnyOrder("/shared", "/listed");
    assertThat(filesOf("n3", true)).isEmpty();

    List<StageStatus> once = stages();
    assertThat(once).hasSize(9).allMatch(stage -> stage.state() == StageStatus.State.DONE);
    assertThat(preRun()).isEqualTo(DONE);
    assertThat(stages()).isEqualTo(once);
    assertThat(run("data_in", "")).isEqualTo(DONE);
    assertEnds();
  }

  @Test
  void aMissingSourceIsToldBeforeThereAreNodes() throws Exception {
    start(0);
    Path list =
        Files.writeString(folder.resolve("list"), "%s/listed $DW_JOB_PRIVATE/l\n".formatted(pfs));
    setUp(
        "private",
        stageIn("directory", "late", "$DW_JOB_PRIVATE/late")
            + "#DW stage_in type=list source=%s\n".formatted(list));
    assertThat(run("data_in", ""))
        .isEqualTo(
            new Answer(
                1, "'%s/late' does not exist; '%s/listed' does not exist\n".formatted(pfs, pfs)));
    Files.createDirectory(pfs.resolve("late"));
    assertThat(run("data_in", "").text()).isEqualTo("'%s/listed' does not exist\n".formatted(pfs));
    Files.writeString(pfs.resolve("listed"), "here");
    assertThat(run("data_in", "")).isEqualTo(DONE);
    assertThat(filesOf("n1", true)).as("nothing is copied yet").isEmpty();
    assertEnds();
  }

  @Test
  void aSourceThatIsGoneLaterNamesTheNodeAndIsTriedAgain() throws Exception {
    start(0);
    Files.writeString(pfs.resolve("late"), "here");
    setUp("private", stageIn("file", "late", "$DW_JOB_PRIVATE/late"));
    assertThat(run("data_in", "")).isEqualTo(DONE);
    Files.delete(pfs.resolve("late"));
    Answer failed = preRun();
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.text())
        .startsWith("the stage into $DW_JOB_PRIVATE of node n")
        .contains("'%s/late' does not exist".formatted(pfs));
    assertThat(failed.text().lines()).hasSize(1);
    // The failed stages of nodes are none of data_in's.
    assertThat(run("data_in", "")).isEqualTo(DONE);

    Files.writeString(pfs.resolve("late"), "here");
    assertThat(preRun()).isEqualTo(DONE);
    for (String node : NODES) assertThat(filesOf(node, true)).containsExactly("/late");
    assertThat(filesOf(link.options().node(), true)).isEmpty();
    assertEnds();
  }

  @Test
  void aMistakeInAListIsToldBeforeThereAreNodes() throws Exception {
    start(0);
    Path list =
        Files.writeString(folder.resolve("list"), "%s/in $DW_JOB_STRIPED/in\n".formatted(pfs));
    setUp("private", "#DW stage_in type=list source=%s\n".formatted(list));
    assertThat(run("data_in", "").text())
        .startsWith("job 12 has no buffer $DW_JOB_STRIPED to stage; ");
    assertEnds();
  }

  @Test
  void theEndOfTheJobEndsTheStagesOfItsNodes() throws Exception {
    start(SLOW_BYTES_PER_SECOND);
    Path many = Files.createDirectory(pfs.resolve("many"));
    for (int i = 0; i < SLOW_FILES; i++) {
      Files.write(many.resolve("file-" + i), new byte[SLOW_FILE_BYTES]);
    }
    setUp("striped,private", stageIn("directory", "many", "$DW_JOB_PRIVATE/many"));
    CompletableFuture<Answer> before = CompletableFuture.supplyAsync(this::preRun);
    while (stages().stream().noneMatch(each -> each.state() == StageStatus.State.RUNNING)) {
      assertThat(before).isNotDone();
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    assertEnds();
    assertThat(before.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(1);
  }
}
