// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.cli.CommandOutcome;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.Mounts;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mounting and unmounting by command. */
@Timeout(180)
class MountCommandTest {
  private static EmbeddedCluster cluster;

  @TempDir private Path directory;
  @TempDir private Path elsewhere;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    cluster = EmbeddedCluster.builder().segmentBytes(1 << 20).budget(16 << 20, 64 << 20).start();
  }

  @AfterAll
  static void end() {
    if (cluster != null) cluster.close();
  }

  private static void assertFails(int exitCode, String sentence, String... arguments) {
    CommandOutcome outcome = CommandOutcome.run(arguments);
    assertThat(outcome.err()).startsWith("forebay: ").contains(sentence).endsWith(".\n");
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  /** The command as a process of its own. */
  private static Process start(String... arguments) throws IOException {
    return startBehind(List.of(), arguments);
  }

  private static Process startBehind(List<String> prefix, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.forebay.cli.Main");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String ended(Process process, int exitCode)
      throws IOException, InterruptedException {
    String said;
    try (InputStream out = process.getInputStream()) {
      said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(exitCode);
    return said;
  }

  @Test
  void inTheBackgroundItIsThereWhenTheCommandReturns() throws IOException, InterruptedException {
    String point = directory.toString();
    Path log = elsewhere.resolve("logs/mount.log");
    String said =
        ended(start("mount", cluster.uri(), point, "--background", "--log", log.toString()), 0);
    assertThat(said)
        .isEqualTo(
            "mounted %s at %s; 'forebay umount %s' ends it; its log is '%s'\n"
                .formatted(cluster.uri(), point, point, log));
    assertThat(log).exists();
    Files.writeString(directory.resolve("file"), "kept");
    assertFails(1, "is mounted already", "mount", cluster.uri(), point);
    try (InputStream busy = Files.newInputStream(directory.resolve("file"))) {
      assertFails(1, "is in use; end the programs", "umount", point);
      assertThat(busy.read()).isEqualTo('k');
    }
    assertThat(CommandOutcome.run("umount", point)).isEqualTo(new CommandOutcome(0, "", ""));
    assertThat(Mounts.at(directory.toRealPath())).isEmpty();
    assertFails(1, "nothing is mounted on", "umount", point);
  }

  @Test
  void aSignalEndsItInOrder() throws IOException, InterruptedException {
    Process process = start("mount", cluster.uri(), directory.toString(), "--cache", "writeback");
    assertThat(awaitLine(process, "mounted "))
        .endsWith("; Ctrl-C or 'forebay umount " + directory + "' ends it");
    Files.writeString(directory.resolve("signal"), "kept");
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Mounts.at(directory.toRealPath())).isEmpty();
    assertThat(CommandOutcome.run("stat", "/signal", "--uri", cluster.uri()).out())
        .contains("size      4 B");
  }

  private static String awaitLine(Process process, String start) throws IOException {
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(start)) return line;
      all.append(line).append('\n');
    }
    throw new AssertionError("no line '" + start + "…' in:\n" + all);
  }

  @Test
  void aClusterComesUpWithItsMount() throws IOException, InterruptedException {
    Process process =
        start("up", "--mount", directory.toString(), "--listen", "127.0.0.1:0", "--copies", "1");
    assertThat(awaitLine(process, "Its files")).contains(directory.toString());
    Files.writeString(directory.resolve("file"), "x");
    assertThat(Files.readString(directory.resolve("file"))).isEqualTo("x");
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Mounts.at(directory.toRealPath())).isEmpty();
  }

  @Test
  void aMountWhoseProcessWasKilledCanBeTakenAway() throws IOException, InterruptedException {
    Process process = start("mount", cluster.uri(), directory.toString());
    awaitLine(process, "mounted ");
    process.destroyForcibly().waitFor();
    assertThat(Mounts.at(Mounts.directory(directory))).isPresent();
    assertThat(CommandOutcome.run("umount", directory.toString()))
        .isEqualTo(new CommandOutcome(0, "", ""));
    assertThat(directory.toFile().list()).isEmpty();
  }

  @Test
  void whatLibfuseSaysIsShownAlsoFromTheBackground() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
    // As in a container that may not mount.
    List<String> powerless =
        List.of("/usr/bin/setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin");
    String log = "--log=" + elsewhere.resolve("log");
    String[] words = {"mount", cluster.uri(), directory.toString(), "--background", log};
    assertThat(ended(startBehind(powerless, words), 1).lines())
        .anyMatch(line -> line.startsWith("fusermount3: ") && line.contains("not permitted"))
        .anyMatch(line -> line.startsWith("forebay: ") && line.contains("libfuse says above why"));
  }

  @Test
  void whatIsWrongIsSaidAlsoFromTheBackground() throws IOException, InterruptedException {
    String point = directory.toString();
    assertFails(2, "names no instance", "mount", "forebay://127.0.0.1:7070", point);
    assertFails(2, "is no address of a cluster", "mount", "/dev/sda1", point);
    assertFails(2, "'-o loop' is unknown", "mount", cluster.uri(), point, "-o", "loop");
    assertFails(2, "none, auto or writeback", "mount", cluster.uri(), point, "--cache", "all");
    assertFails(1, "does not exist; make it", "mount", cluster.uri(), point + "/missing");
    String unknown = cluster.uri().replace("/default", "/nowhere");
    assertFails(1, "there is no instance 'nowhere'", "mount", unknown, point);
    String log = elsewhere.resolve("log").toString();
    assertFails(2, "--log is for --background", "mount", unknown, point, "--log", log);
    assertThat(ended(start("mount", unknown, point, "-b", "--log", log), 1))
        .startsWith("forebay: there is no instance 'nowhere'");
    assertFails(1, "nothing is mounted on", "umount", point);
    assertFails(1, "is a mount of type proc; use 'umount /proc'", "umount", "/proc");
  }
}
