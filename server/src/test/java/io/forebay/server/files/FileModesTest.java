// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingShape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Other users can use no file of a server, whatever the umask of its process. */
@Timeout(120)
class FileModesTest {
  private static final int MIB = 1 << 20;
  private static final int OTHERS = 0077;

  @TempDir private Path base;

  /** A cluster in a process, until its input ends: {@code DIRECTORY MEMORY}. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws StartFailed, IOException {
      try (EmbeddedCluster cluster =
          EmbeddedCluster.builder()
              .servers(2)
              .segmentBytes(MIB)
              .budget(8L * MIB, 16L * MIB)
              .directory(Path.of(arguments[0]))
              .memoryRoot(Path.of(arguments[1]))
              .ownBackingRoot()
              .start()) {
        try (Forebay client = Forebay.connect(cluster.uri());
            ForebayFile file = client.open("/file", WRITE, CREATE)) {
          file.write(ByteBuffer.wrap("content".getBytes(UTF_8)), 0);
        }
        System.out.println("ready");
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  private static Process start(Path directory, Path memory) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(directory.toString(), memory.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static List<Path> below(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(each -> !each.equals(directory)).toList();
    }
  }

  private static void assertOwnersOnly(Path each) throws IOException {
    int mode = (int) Files.getAttribute(each, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    assertThat(Integer.toOctalString(mode & OTHERS)).as(each.toString()).isEqualTo("0");
  }

  @Test
  void aClusterMakesFilesForItsOwnUserOnly() throws Exception {
    // Made by an operator, so that nothing above protects what a server makes in it.
    Path directory = Files.createDirectory(base.resolve("cluster"));
    Path memory = Files.createDirectory(base.resolve("memory"));
    Files.setAttribute(directory, "unix:mode", 0755);
    Process process = start(directory, memory);
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).isEqualTo("ready");
      List<Path> made = below(directory);
      Path backing = directory.resolve("backing");
      for (Path each : made) {
        if (!each.equals(backing)) assertOwnersOnly(each);
      }
      assertThat(Files.getAttribute(backing, "unix:mode")).as("a store").isEqualTo(0040755);
      assertThat(made).as("sockets too").anyMatch(each -> each.toString().endsWith(".sock"));
      assertThat(made).contains(directory.resolve("manager"), directory.resolve("server-1"));
      List<Path> inMemory = below(memory);
      for (Path each : inMemory) assertOwnersOnly(each);
      assertThat(inMemory).isNotEmpty();
      process.getOutputStream().close();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theLogsOfLocalProcessesAreTheirOwnersOnly() throws Exception {
    PlacementSpec placement =
        new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0);
    Path directory = base.resolve("ring");
    Path memory = Files.createDirectory(base.resolve("memory"));
    try (LocalRing ring =
        new LocalRing(new RingShape(1, 1, MIB, 8L * MIB, 8L * MIB, placement), directory, memory)) {
      ring.start();
      assertOwnersOnly(directory);
      Set<Path> logs = Set.of(directory.resolve("manager.log"), directory.resolve("server-1.log"));
      assertThat(below(directory)).containsAll(logs);
      for (Path log : logs) assertOwnersOnly(log);
    }
  }
}
