// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.store.directory.LogDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code forebay demo} with all its processes, and looks at what is left. */
@Timeout(300)
class DemoCommandTest {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Pattern KEPT_MEMORY = Pattern.compile("its memory in '([^']+)'");

  @TempDir Path temporary;

  private static List<Path> demosIn(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) return List.of();
    try (Stream<Path> paths = Files.list(directory)) {
      return paths
          .filter(path -> path.getFileName().toString().startsWith("forebay-demo-"))
          .toList();
    }
  }

  /** This test's processes. */
  private List<ProcessHandle> children() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains(temporary.toString()))
        .toList();
  }

  @Test
  void everythingAcknowledgedIsFoundAndNothingIsLeft() throws Exception {
    List<Path> before = demosIn(SHARED_MEMORY);
    CommandOutcome outcome =
        CommandOutcome.run("demo", "--size", "16MiB", "--dir", temporary.toString(), "--json");
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .startsWith("{\"burstBytes\":16777216,")
        .contains("\"servers\":3,\"copies\":2,", "\"killed\":\"server-2\",")
        .contains("\"acknowledgedBytes\":16777216,", "\"heldBytes\":{\"server-1\":")
        .contains("\"warmUpBytes\":8388608,", "\"waitedNanos\":", "\"directNanos\":")
        .contains("\"verifiedBytes\":16777216,\"lostBytes\":0,", "\"drainedBytes\":16777216,");
    assertThat(temporary).isEmptyDirectory();
    assertThat(demosIn(SHARED_MEMORY)).isEqualTo(before);
    assertThat(children()).isEmpty();
  }

  @Test
  void whatIsKeptCanBeLookedAt() throws Exception {
    Path kept = temporary.resolve("ring");
    CommandOutcome outcome =
        CommandOutcome.run("demo", "--size", "16MiB", "--tls", "--keep", kept.toString());
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(kept.resolve("manager/certificates/authority")).isDirectory();
    assertThat(outcome.out())
        .containsPattern("\\A(Your ranks went on|The ring was no faster)")
        .contains("without it     =", "X: a server is killed", "64 MB/s", "not counted")
        .contains("./forebay up --dir '" + kept + "'")
        .satisfies(text -> assertThat(result(text)).allMatch(line -> line.length() <= 80));
    assertThat(outcome.out().replace('\n', ' ')).contains("0 of 16,777,216 bytes were lost.");
    assertThat(children()).isEmpty();
    for (int server = 1; server <= 3; server++) {
      Path log = kept.resolve("server-" + server).resolve("seat-1");
      assertThat(CommandOutcome.run("log", "verify", log.toString()).out()).endsWith("sound\n");
      LogDirectory.destroy(log);
    }
    Matcher memory = KEPT_MEMORY.matcher(outcome.out());
    assertThat(memory.find()).isTrue();
    // Empty by now: each log's memory goes with the log.
    Files.delete(Path.of(memory.group(1)));
  }

  /** The lines before those that name directories, which are as long as their names. */
  private static Stream<String> result(String text) {
    return text.substring(0, text.indexOf("The ring's files stay in")).lines();
  }

  @Test
  void aServerThatDiesUnaskedEndsItAndItsLogIsShown() throws Exception {
    FutureTask<Boolean> killer = new FutureTask<>(() -> killOnceManagerLogs("server-3"));
    Thread.ofPlatform().daemon().start(killer);
    CommandOutcome outcome =
        CommandOutcome.run("demo", "--size", "16MiB", "--verbose", "--dir", temporary.toString());
    assertThat(killer.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).startsWith("room      ").doesNotContain("Your ranks");
    assertThat(outcome.err())
        .contains("manager: ", "forebay: server-3 (process ")
        .endsWith("ended with code 137.\n");
    assertThat(temporary).isEmptyDirectory();
    assertThat(children()).isEmpty();
  }

  private boolean killOnceManagerLogs(String server) throws IOException, InterruptedException {
    while (true) {
      for (ProcessHandle child : children()) {
        if (!child.info().commandLine().orElse("").contains(server)) continue;
        if (managerLogs()) return child.destroyForcibly();
      }
      Thread.sleep(1);
    }
  }

  private boolean managerLogs() throws IOException {
    for (Path demo : demosIn(temporary)) {
      Path log = demo.resolve("ring").resolve("manager.log");
      if (Files.exists(log) && Files.size(log) > 0) return true;
    }
    return false;
  }

  @Test
  void wrongOptionsGetOneSentenceAndNothingIsTouched() throws Exception {
    assertThat(CommandOutcome.run("demo", "--size", "1MiB", "--dir", temporary.toString()))
        .isEqualTo(
            new CommandOutcome(
                2,
                "",
                "forebay: a burst of 1 MiB is too small; at least 16 MiB; see 'forebay demo"
                    + " --help'.\n"));
    assertThat(CommandOutcome.run("demo", "--size", "7E", "--dir", temporary.toString()).err())
        .startsWith("forebay: a burst of 7 EiB needs more than the ")
        .endsWith(" that are free on disk; choose a smaller one.\n");
    Path missing = temporary.resolve("missing");
    assertThat(CommandOutcome.run("demo", "--dir", missing.toString()).err())
        .isEqualTo("forebay: '" + missing + "' does not exist; name a directory that does.\n");
    assertThat(temporary).isEmptyDirectory();
    Path file = Files.createFile(temporary.resolve("file"));
    assertThat(CommandOutcome.run("demo", "--keep", temporary.toString()).err())
        .isEqualTo("forebay: '" + temporary + "' is not empty; name a new directory.\n");
    assertThat(CommandOutcome.run("demo", "--keep", file.toString()).err())
        .isEqualTo("forebay: '" + file + "' is not a directory; name a new one.\n");
    assertThat(CommandOutcome.run("demo", "--keep", "a", "--dir", "b").exitCode()).isEqualTo(2);
    assertThat(CommandOutcome.run("demo", "now").err())
        .isEqualTo("forebay: unexpected argument 'now'; see 'forebay demo --help'.\n");
  }
}
