// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobMount;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code forebay job}, against a cluster in this process. */
@Timeout(300)
class JobCommandTest {
  private static EmbeddedCluster cluster;
  @TempDir private static Path root;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 64 << 20)
            .stageRoots(List.of(root))
            .backingRoots(List.of(root))
            .start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static CommandOutcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (!all.contains("--uri")) all.addAll(List.of("--uri", cluster.uri()));
    return CommandOutcome.run(all.toArray(String[]::new));
  }

  private static String done(String... arguments) {
    CommandOutcome outcome = run(arguments);
    assertThat(outcome.exitCode()).as(Arrays.toString(arguments) + ": " + outcome.err()).isZero();
    return outcome.out();
  }

  private static void assertFails(int exitCode, String sentence, String... arguments) {
    CommandOutcome outcome = run(arguments);
    assertThat(outcome.err()).startsWith("forebay: ").contains(sentence).endsWith(".\n");
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void aJobIsBegunShownAndEnded() throws IOException {
    Files.writeString(root.resolve("input"), "in");
    String[] begin = {
      "job",
      "begin",
      "17",
      "--capacity",
      "4MiB",
      "--uses",
      "default",
      "--stage-in",
      root + "/input",
      "/input",
      "--stage-out",
      "/input",
      root + "/output"
    };
    assertThat(done(begin)).contains("job '17' is begun", "export FOREBAY_URI=", "/job-17");
    assertThat(done(begin)).contains("job '17' is begun");
    assertFails(
        1, "job '17' was begun with another request", "job", "begin", "17", "--capacity", "5MiB");
    assertFails(1, "'nowhere'", "job", "begin", "16", "--capacity", "4MiB", "--pool", "nowhere");
    String uri = cluster.uri("job-17");
    done("stage", "wait", "17.0", "--uri", uri);
    assertThat(done("job", "nodes", "17", "n1", "n2")).contains("job '17' runs on 2 nodes");
    assertThat(done("job", "list")).containsPattern("17 +running +job-17 +\\d+ +2 +2 +1");
    assertThat(done("job", "show", "17"))
        .contains("is running", "uses      default", "nodes     n1, n2", "stage     17.1 out");
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(done("job", "show", "17", "--json"));
    assertThat(json.get("token")).isEqualTo("17");
    assertThat(json.get("instance")).isEqualTo("job-17");
    assertThat(done("job", "nodes", "17")).contains("runs nowhere");
    assertThat(done("job", "end", "17")).contains("job '17' has ended");
    assertThat(root.resolve("output")).hasContent("in");
    assertThat(done("job", "end", "17")).contains("there is no job '17'");
    assertFails(1, "there is no job '17'", "job", "show", "17");
    assertThat(done("job", "list")).contains("'forebay job begin TOKEN'");
  }

  @Test
  void itsInstanceMayLieOverADirectory() throws IOException {
    Path over = Files.createDirectories(root.resolve("project"));
    Files.writeString(over.resolve("old"), "old");
    done("job", "begin", "20", "--capacity", "4MiB", "--over", over.toString());
    String uri = cluster.uri("job-20");
    Path copy = root.resolve("copy-of-old");
    done("cp", "forebay:/old", copy.toString(), "--uri", uri);
    assertThat(copy).hasContent("old");
    done("cp", copy.toString(), "forebay:/new", "--uri", uri);
    assertThat(done("job", "end", "20")).contains("job '20' has ended");
    assertThat(over.resolve("new")).hasContent("old");
    assertThat(over.toFile().list()).containsExactlyInAnyOrder("old", "new");
    assertFails(2, "--over needs an instance", "job", "begin", "21", "--over", over.toString());
    assertFails(
        2, "--over cannot be 'near'", "job", "begin", "21", "--capacity", "1MiB", "--over", "near");
    assertFails(
        1,
        "the backing store cannot be used",
        "job",
        "begin",
        "21",
        "--capacity",
        "1MiB",
        "--over",
        "/nowhere");
  }

  @Test
  void aJobMayHaveASharedTreeAndPrivateOnes() {
    String[] begin = {
      "job",
      "begin",
      "22",
      "--capacity",
      "4MiB",
      "--access",
      "both",
      "--stage-in",
      root + "/no",
      "/x"
    };
    assertThat(done(begin)).contains("job '22' is begun");
    assertThat(done("instance", "list")).containsPattern("job-22 .*both");
    assertThat(done("df", "job-22")).containsPattern("job-22 +4.00 MiB|job-22 +4 MiB");
    done("job", "end", "22", "--hurry");
  }

  /** A batch system is not needed for it, so that a persistent instance can be mounted anywhere. */
  @Test
  void theAgentsOfItsNodesAreToldWhatToMount() throws IOException {
    String[] begin = {"job", "begin", "login", "--uses", "default", "--directory", "/mnt/login"};
    assertThat(done(begin)).contains("job 'login' is begun");
    done("job", "nodes", "login", "n1");
    assertThat(done("job", "show", "login")).contains("mounts    below /mnt/login");
    try (Cluster agent = Cluster.connect(cluster.uri(""))) {
      List<Job> jobs = agent.reportNode("n1", List.of());
      assertThat(jobs).extracting(Job::token).containsExactly("login");
      assertThat(JobMount.of(jobs.getFirst(), agent.map()))
          .containsExactly(
              new JobMount(
                  JobMount.Kind.PERSISTENT,
                  "default",
                  "/mnt/login/persistent/default",
                  new Identity(Identity.NOBODY, List.of(0))));
      assertThat(agent.reportNode("n2", List.of())).isEmpty();
    }
    assertThat(done("nodes", "login")).containsPattern("n1 +runs +0");
    done("job", "end", "login");
    assertFails(1, "is no directory for the mounts", "job", "begin", "l", "--directory", "mnt");
  }

  @Test
  void aFailedStageKeepsItAndAHurryDoesNot() {
    String uri = cluster.uri();
    done("job", "begin", "18", "--capacity", "1MiB", "--stage-out", "/none", root + "/x");
    assertFails(1, "'job-18' is not destroyed, since stage 18.0", "job", "end", "18");
    assertThat(done("job", "list")).containsPattern("18 +ending");
    assertThat(done("job", "end", "18", "--no-wait", "--uri", uri)).contains("is ending");
    assertThat(done("job", "end", "18", "--hurry")).contains("job '18' has ended");
    assertThat(done("instance", "list")).doesNotContain("job-18");
  }

  @Test
  void whatIsWrongIsSaidInOneSentence() {
    assertThat(CommandOutcome.run("job").err())
        .contains("missing command: 'begin', 'list', 'show', 'nodes' or 'end'");
    assertFails(2, "give --capacity too", "job", "begin", "x", "--stage-in", "/a", "/b");
    assertFails(
        2,
        "'a' is no whole path",
        "job",
        "begin",
        "x",
        "--capacity",
        "1MiB",
        "--stage-in",
        "a",
        "/b");
    assertFails(1, "is no token of a job", "job", "begin", "a b");
    assertFails(1, "there is no job 'x'", "job", "nodes", "x", "n1");
    assertFails(2, "'forebay job begin TOKEN", "instance", "create", "x", "--lifetime", "job");
    assertFails(1, "is a name of a job's own instance", "instance", "create", "job-1");
  }
}
