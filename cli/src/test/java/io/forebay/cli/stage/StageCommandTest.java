// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
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

/** {@code forebay stage}, against a cluster in this process. */
@Timeout(300)
class StageCommandTest {
  private static final int WIDTH_MAX = 120;

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
            .start();
    Files.createDirectories(root.resolve("data/deep"));
    Files.writeString(root.resolve("data/one"), "1");
    Files.writeString(root.resolve("data/deep/two"), "22");
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
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  private static String idIn(String text) {
    return text.substring("stage ".length(), text.indexOf(' ', "stage ".length()));
  }

  @Test
  void stagesAreStartedWatchedAndAwaited() throws IOException {
    String started = done("stage", "in", root + "/data", "/in", "--concurrency", "2");
    assertThat(started).startsWith("stage ");
    String id = idIn(started);
    assertThat(done("stage", "wait", id, "--timeout", "1m"))
        .isEqualTo("stage " + id + " is done: 2 of 2 files, 3 B copied\n");
    assertThat(done("stat", "/in/deep/two")).contains("2 B");
    assertThat(done("stage", "out", "/in", root + "/out/", "--wait"))
        .contains("is done: 2 of 2 files");
    assertThat(root.resolve("out/in/deep/two")).hasContent("22");
    String all = done("stage", "query");
    assertThat(all).contains(id, "/in", "done");
    assertThat(all.lines()).allMatch(line -> line.length() <= WIDTH_MAX);
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(done("stage", "query", id, "--json"));
    assertThat(json.get("state")).isEqualTo("done");
    assertThat((List<?>) json.get("problems")).isEmpty();
    assertThat(done("stage", "query", "--json")).contains("\"stages\":[{\"id\":");
  }

  @Test
  void aPrivateInstanceIsStagedByTheNodeItself() throws IOException {
    done("instance", "create", "own", "--access", "private");
    String uri = cluster.uri("own");
    assertThat(done("stage", "in", root + "/data", "/in", "--wait", "--uri", uri))
        .contains("is done: 2 of 2 files");
    assertThat(done("stat", "/in/deep/two", "--uri", uri)).contains("2 B");
    ForebayOptions other = ForebayOptions.defaults().withNode("other");
    try (Forebay client = Forebay.connect(uri, other)) {
      assertThat(client.list("/").hasNext()).isFalse();
    }
    done("instance", "destroy", "own");
  }

  @Test
  void listsAreReadHereAndCheckedLineByLine() throws IOException {
    Path list = root.resolve("list");
    Files.writeString(
        list, root + "/data/one\t/listed/a\n# no line\n" + root + "/data/deep /listed/b\n");
    assertThat(done("stage", "in", "--list", list.toString(), "--wait")).contains("2 of 2 files");
    assertThat(done("ls", "/listed")).contains("a", "b");
    Files.writeString(list, "/only\n");
    assertFails(
        1,
        "line 1 of the list has no source and destination",
        "stage",
        "in",
        "--list",
        list.toString());
    assertFails(1, "does not exist", "stage", "in", "--list", root + "/none");
  }

  @Test
  void deferredOnesAreDoneWhenTheInstanceEnds() throws IOException {
    done("instance", "create", "job");
    String uri = cluster.uri("job");
    done("cp", root.resolve("data/one").toString(), uri + "/result");
    String deferred = done("stage", "out", "/result", root + "/kept", "--deferred", "--uri", uri);
    assertThat(deferred).contains("is deferred until the instance is destroyed");
    String revoked =
        idIn(done("stage", "out", "/result", root + "/revoked", "--deferred", "--uri", uri));
    assertThat(done("stage", "cancel", revoked, "--uri", uri)).contains("is cancelled");
    assertThat(root.resolve("kept")).doesNotExist();
    assertThat(done("stage", "query", idIn(deferred), "--uri", uri)).contains("is deferred");
    assertFails(
        1, "'forebay stage out --run-deferred'", "stage", "wait", idIn(deferred), "--uri", uri);
    done("instance", "destroy", "job");
    assertThat(root.resolve("kept")).hasContent("1");
    assertThat(root.resolve("revoked")).doesNotExist();
    assertFails(1, "no instance 'job'", "instance", "destroy", "job");
  }

  @Test
  void anInstanceIsNotDestroyedWhileWhatWasDeferredCannotBeStaged() {
    done("instance", "create", "held");
    String uri = cluster.uri("held");
    done("stage", "out", "/none", root + "/x", "--deferred", "--uri", uri);
    assertFails(1, "'held' is not destroyed, since stage", "instance", "destroy", "held");
    assertThat(done("stage", "out", "--run-deferred", "--uri", uri))
        .isEqualTo("no stage is deferred\n");
    assertFails(1, "'held' is not destroyed, since stage", "instance", "destroy", "held");
    assertThat(done("instance", "list"))
        .contains(
            "'held' is ending: stage", "'/none' does not exist", "with --discard gives it up");
    assertThat(done("instance", "destroy", "held", "--no-wait")).contains("takes no more writes");
    assertFails(
        1,
        "'held' ends: nothing more is written to it",
        "stage",
        "out",
        "/none",
        root + "/x",
        "--deferred",
        "--uri",
        uri);
    done("instance", "destroy", "held", "--discard");
  }

  @Test
  void whatIsWrongIsSaidInOneSentence() {
    assertFails(1, "'/etc/passwd' is outside of what server", "stage", "in", "/etc/passwd", "/x");
    assertFails(1, "does not exist", "stage", "in", root + "/none", "/x");
    assertFails(1, "'/none' does not exist", "stage", "out", "/none", root + "/x", "--wait");
    assertFails(1, "knows no stage 'nothing'", "stage", "query", "nothing");
    assertFails(1, "knows no stage 'nothing'", "stage", "wait", "nothing");
    assertFails(1, "knows no stage 'nothing'", "stage", "cancel", "nothing");
    assertFails(2, "a SOURCE and a DESTINATION are needed", "stage", "in", "/x");
    assertFails(
        2, "concurrency 0; it is from 1 to 32", "stage", "in", "/x", "/y", "--concurrency", "0");
    assertThat(CommandOutcome.run("stage").err()).contains("missing command: 'in', 'out'");
    done("stage", "in", root + "/data/one", "/wrong/one", "--wait");
    done("stage", "in", root + "/data/one", "/wrong/", "--wait");
    CommandOutcome twice = run("stage", "in", root + "/data/deep/two", "/wrong/one", "--wait");
    assertThat(twice.err())
        .contains("has failed: '/wrong/one' exists already and is different; stage with --replace");
    done("stage", "in", root + "/data/deep/two", "/wrong/one", "--wait", "--replace");
  }
}
