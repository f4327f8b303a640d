// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands about the backing store, against a cluster in this process. */
@Timeout(300)
class DrainCommandTest {
  private static final int WIDTH_MAX = 100;

  private static EmbeddedCluster cluster;

  @TempDir private static Path store;
  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .segmentBytes(1 << 20)
            .budget(16 << 20, 64 << 20)
            .backingRoots(List.of(store))
            .start();
    CommandOutcome made =
        CommandOutcome.run(
            "instance",
            "create",
            "backed",
            "--backing",
            store.toString(),
            "--drain",
            "request",
            "--keep",
            "last=3,series=ckpt-*",
            "--uri",
            cluster.uri());
    assertThat(made.exitCode()).as(made.err()).isZero();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static CommandOutcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--uri", cluster.uri("backed")));
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

  private void write(String path, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    Path local = directory.resolve("copy-" + path.substring(path.lastIndexOf('/') + 1));
    done("cp", Files.write(local, content).toString(), "forebay:" + path);
  }

  @Test
  void instancesSayWhereAndWhenTheyAreDrained() {
    String shown = done("instance", "list");
    assertThat(shown)
        .containsPattern(
            "backed +…?\\S*" + store.getFileName() + " +request +last=3,series=ckpt-\\*");
    assertThat(shown.lines()).allMatch(line -> line.length() <= WIDTH_MAX);
    assertThat(done("instance", "list", "--json"))
        .contains(
            "\"backing\":\"" + store + "\",\"drain\":\"request\",\"keep\":\"last=3,series=ckpt-*\"")
        .contains("\"backing\":null,\"drain\":null,\"keep\":null");
  }

  @Test
  void whatIsKeptMustMakeSense() {
    assertFails(2, "give --backing URI too", "instance", "create", "x", "--keep", "last=3");
    assertFails(
        1,
        "'last=0' does not say what to keep",
        "instance",
        "create",
        "x",
        "--backing",
        store.toString(),
        "--keep",
        "last=0");
  }

  @Test
  void checkpointsAreShownAndTheLatestForScripts() throws IOException {
    done("mkdir", "/run");
    write("/run/ckpt-9", 5000);
    write("/run/ckpt-10", 10_000);
    write("/run/notes", 10);
    String shown = done("checkpoints", "/run");
    assertThat(shown)
        .containsPattern("ckpt-\\* +complete +buffer +10 +1 +9.7K +\\d+s\n(.*\n)*ckpt.* 9 ")
        .doesNotContain("notes")
        .endsWith("\nnewest that is complete and sound: /run/ckpt-10\n");
    assertThat(shown.lines()).allMatch(line -> line.length() <= WIDTH_MAX);
    done("drain", "/run/ckpt-9", "--wait");
    assertThat(done("checkpoints", "/run", "--check", "read"))
        .containsPattern("ckpt-\\* +complete +both +9 ");
    assertThat(done("checkpoints", "/run", "--latest")).isEqualTo("/run/ckpt-10\n");
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(done("checkpoints", "/run", "--json"));
    assertThat((List<?>) json.get("checkpoints")).hasSize(2);
    assertThat(((Map<?, ?>) json.get("latest")).get("paths")).isEqualTo(List.of("/run/ckpt-10"));
    CommandOutcome none = run("checkpoints", "/run", "--series", "plt*");
    assertThat(none.out()).startsWith("there are no checkpoints");
    assertThat(none.exitCode()).isEqualTo(1);
    assertFails(2, "'plt' describes no series", "checkpoints", "/run", "--series", "plt");
    assertFails(1, "/none", "checkpoints", "/none");
  }

  @Test
  void whatIsBufferedIsInTheLedger() throws IOException {
    done("mkdir", "/buffered");
    write("/buffered/a", 5000);
    assertThat(done("ledger", "/buffered"))
        .containsPattern("/buffered/a +buffered +4.8K +- +\\d+s +-\n")
        .contains("buffered 4.8K in 1 file; draining nothing; durable 0B in 0 files");
    assertThat(done("ledger", "/buffered/a")).contains("/buffered/a");
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(done("ledger", "--json"));
    assertThat((List<?>) json.get("files")).isNotEmpty();
    assertFails(
        1, "'/buffered/a' is not durable after ", "wait-durable", "/buffered", "--timeout", "0");
    assertFails(
        1,
        "ask for it with 'forebay drain /buffered/a'",
        "wait-durable",
        "/buffered",
        "--timeout",
        "0");
  }

  @Test
  void waitingForWhatNobodyDrainsEnds() throws IOException {
    done("mkdir", "/unasked");
    write("/unasked/a", 5000);
    CommandOutcome outcome = run("wait-durable", "/unasked");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("drains nothing by itself: ask for it with 'forebay drain /unasked/a'");
  }

  @Test
  void whatIsDrainedIsDurableAndReadBack() throws IOException {
    done("mkdir", "/drained");
    write("/drained/a", 3_000_000);
    write("/drained/b", 10);
    assertThat(done("drain", "/drained")).startsWith("2 files are being drained, 2.8 MiB; ");
    assertThat(done("wait-durable", "/drained", "--timeout", "2m"))
        .startsWith("durable: 2 files, 2.8 MiB after ");
    assertThat(store.resolve("drained/a")).hasSameBinaryContentAs(directory.resolve("copy-a"));
    assertThat(done("ledger", "/drained"))
        .containsPattern("/drained/a +durable +2.8M +100% ")
        .contains("buffered 0B in 0 files; draining nothing; durable 2.8M in 2 files");
    assertThat(done("drain", "/drained")).isEqualTo("all of it is durable already\n");
    write("/drained/b", 20);
    assertThat(done("drain", "/drained", "--wait")).startsWith("durable: 2 files, ");
    assertThat(store.resolve("drained/b")).hasSameBinaryContentAs(directory.resolve("copy-b"));
  }

  @Test
  void aPrivateTreeHasALedgerOfItsOwn() throws IOException {
    String uri = cluster.uri("own");
    Files.createDirectory(store.resolve("own"));
    done(
        "instance",
        "create",
        "own",
        "--access",
        "private",
        "--backing",
        store.resolve("own").toString());
    Path local = Files.write(directory.resolve("local"), new byte[1000]);
    done("cp", local.toString(), uri + "/mine");
    assertThat(done("drain", uri + "/", "--wait", "--timeout", "2m")).startsWith("durable: 1 file");
    assertThat(done("ledger", uri + "/")).containsPattern("/mine +durable +1000B");
    done("instance", "destroy", "own");
  }

  @Test
  void aStoreThatIsNotThereIsNamed() throws IOException {
    String gone = store.resolve("gone").toString();
    String uri = cluster.uri("gone");
    assertFails(
        1,
        gone + "' cannot be used: it is not there",
        "instance",
        "create",
        "gone",
        "--backing",
        gone);
    assertFails(
        1,
        "start it with another --backing-root",
        "instance",
        "create",
        "gone",
        "--backing",
        "/etc");
    done("instance", "create", "gone", "--backing", gone, "--anyway");
    Path local = Files.write(directory.resolve("local"), new byte[1000]);
    done("cp", local.toString(), uri + "/a");
    CommandOutcome late = run("drain", uri + "/a", "--wait", "--timeout", "1");
    assertThat(late.err())
        .contains("forebay: '/a' is not durable after ")
        .contains("last error: ", gone, "once that is repaired it continues.\n");
    assertThat(late.exitCode()).isEqualTo(1);
    assertThat(done("ledger", uri + "/")).contains(gone);
    Files.createDirectory(Path.of(gone));
    done("wait-durable", uri + "/a", "--timeout", "2m");
    done("instance", "destroy", "gone");
  }

  @Test
  void whatIsWrongIsSaidInOneSentence() {
    assertFails(1, "'/none' does not exist", "drain", "/none");
    assertFails(1, "'/none' does not exist", "wait-durable", "/none");
    assertFails(1, "'/none' does not exist", "ledger", "/none");
    assertFails(2, "--timeout cannot be 'soon'", "wait-durable", "/", "--timeout", "soon");
    String bare = cluster.uri() + "/";
    for (String command : List.of("drain", "wait-durable", "ledger")) {
      assertFails(1, "has no backing store to drain to; make one that has with", command, bare);
    }
  }

  @Test
  void instancesAreNotMadeWithWrongWords() {
    assertFails(2, "give --backing URI too", "instance", "create", "x", "--drain", "close");
    for (String policy : List.of("", ",", "close,", "close;end", "every=", "=5", "a b")) {
      assertFails(
          2,
          "--drain cannot be '" + policy + "'",
          "instance",
          "create",
          "x",
          "--backing",
          "/data",
          "--drain",
          policy);
    }
    for (String backing : List.of("", "data", " /data")) {
      assertFails(
          2,
          "--backing cannot be '" + backing + "'",
          "instance",
          "create",
          "x",
          "--backing",
          backing);
    }
  }

  @Test
  void anInstanceLiesOverWhatADirectoryHolds() throws IOException {
    Path held = Files.createDirectory(store.resolve("held"));
    Path old = Files.writeString(held.resolve("old"), "there before");
    String uri = cluster.uri("over");
    done("instance", "create", "over", "--backing", held.toString(), "--over");
    assertThat(done("instance", "list", "--json")).contains("\"over\":true");
    assertThat(done("ls", uri + "/")).isEqualTo("old\n");
    String copy = directory.resolve("copied").toString();
    done("cp", uri + "/old", copy);
    assertThat(Path.of(copy)).hasContent("there before");
    Files.writeString(old, "changed since");
    assertFails(1, "'forebay refresh /old'", "cp", uri + "/old", copy);
    assertThat(done("ledger", uri + "/")).containsPattern("/old +changed ").contains("/old: ");
    done("refresh", uri + "/old");
    done("cp", uri + "/old", copy);
    assertThat(Path.of(copy)).hasContent("changed since");
    done("instance", "destroy", "over");
    assertThat(old).hasContent("changed since");
    assertFails(2, "name it with --backing URI", "instance", "create", "nothing", "--over");
  }
}
