// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that talk to a cluster, against one in this process. */
@Timeout(300)
class ClusterCommandTest {
  private static final int WIDTH_MAX = 100;

  private record Outcome(int exitCode, String out, String err) {}

  private static EmbeddedCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster = EmbeddedCluster.builder().segmentBytes(1 << 20).budget(16 << 20, 64 << 20).start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static Outcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--uri", cluster.uri(), "--timeout", "60"));
    return runPlain(all.toArray(String[]::new));
  }

  private static Outcome runPlain(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        RootCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private static String done(String... arguments) {
    Outcome outcome = run(arguments);
    assertThat(outcome.exitCode).as(Arrays.toString(arguments) + ": " + outcome.err).isZero();
    return outcome.out;
  }

  private static void assertFails(int exitCode, String sentence, String... arguments) {
    Outcome outcome = run(arguments);
    assertThat(outcome.err).startsWith("forebay: ").contains(sentence).endsWith(".\n");
    assertThat(outcome.err.lines()).hasSize(1);
    assertThat(outcome.exitCode).isEqualTo(exitCode);
  }

  private static byte[] standardOutput(String... arguments) {
    PrintStream usual = System.out;
    ByteArrayOutputStream caught = new ByteArrayOutputStream();
    System.setOut(new PrintStream(caught, false, StandardCharsets.UTF_8));
    try {
      assertThat(run(arguments).exitCode).isZero();
    } finally {
      System.setOut(usual);
    }
    return caught.toByteArray();
  }

  private Path file(String name, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  @Test
  void filesGoInAndComeOut() throws IOException {
    Path local = file("local", 2_500_000);
    assertThat(done("cp", local.toString(), "forebay:/in")).startsWith("1 file, 2.3 MiB in ");
    assertThat(done("ls", "-l", "/in")).startsWith("-rw").contains("2.3 MiB", "  in\n");
    Path back = directory.resolve("back");
    done("cp", cluster.uri() + "/in", back.toString());
    assertThat(back).hasSameBinaryContentAs(local);
    assertThat(standardOutput("cat", "/in")).isEqualTo(Files.readAllBytes(local));
    assertThat(done("stat", "/in")).contains("size      2.3 MiB (2500000 bytes)");
    assertThat(done("stat", "/in", "--json")).contains("\"sizeBytes\":2500000");
    done("cp", "forebay:/in", "forebay:/again");
    done("mv", "/again", "/moved");
    done("rm", "/in", "/moved");
    assertFails(1, "'/in' does not exist", "stat", "/in");
  }

  @Test
  void treesGoInAndComeOut() throws IOException {
    file("tree/one", 10);
    file("tree/sub/two", 300_000);
    Files.createSymbolicLink(directory.resolve("tree/link"), Path.of("one"));
    Files.createDirectories(directory.resolve("tree/empty"));
    done("mkdir", "-p", "/trees/of/all");
    done("mkdir", "-p", "/trees/of/all");
    done("cp", "-r", directory.resolve("tree").toString(), "forebay:/trees/of/all");
    assertThat(done("ls", "/trees/of/all/tree")).isEqualTo("empty/\nlink@\none\nsub/\n");
    assertThat(done("ls", "/trees", "--json")).contains("\"name\":\"of\",\"kind\":\"directory\"");
    Path back = directory.resolve("back");
    done("cp", "-r", "forebay:/trees/of/all/tree", back.toString());
    assertThat(back.resolve("one")).hasSameBinaryContentAs(directory.resolve("tree/one"));
    assertThat(back.resolve("sub/two")).hasSameBinaryContentAs(directory.resolve("tree/sub/two"));
    assertThat(Files.readSymbolicLink(back.resolve("link"))).hasToString("one");
    assertThat(back.resolve("empty")).isEmptyDirectory();
    done("mv", "/trees/of/all/tree", "/trees");
    assertThat(done("ls", "/trees")).isEqualTo("of/\ntree/\n");
    assertFails(1, "is a directory; remove it with -r", "rm", "/trees");
    done("rm", "-r", "/trees");
    assertFails(1, "'/trees' does not exist", "ls", "/trees");
  }

  @Test
  void pairsGoInAndComeOut() throws IOException {
    Path value = file("value", 700_000);
    done("put", "pairs/a", value.toString());
    done("put", "pairs/b", value.toString());
    assertThat(done("pairs", "pairs/")).isEqualTo("pairs/a\npairs/b\n");
    assertThat(done("pairs", "pairs/", "-l")).contains("683.5 KiB").contains("pairs/a");
    assertThat(done("pairs", "--json")).contains("\"key\":\"pairs/a\",\"sizeBytes\":700000");
    Path back = directory.resolve("back");
    done("get", "pairs/a", back.toString());
    assertThat(back).hasSameBinaryContentAs(value);
    assertThat(standardOutput("get", "pairs/b")).isEqualTo(Files.readAllBytes(value));
    done("del", "pairs/a", "pairs/b");
    assertFails(1, "no value under 'pairs/a'", "get", "pairs/a");
    assertFails(1, "no value under 'pairs/a'", "del", "pairs/a");
    assertFails(2, "a key of 0 bytes", "get", "");
  }

  @Test
  void aValueLongerThanTheMemoryComesOut() throws IOException, InterruptedException {
    Path value = file("long", 40 << 20);
    Path back = directory.resolve("back");
    done("put", "long", value.toString());
    inLittleMemory("get", "long", back.toString());
    assertThat(back).hasSameBinaryContentAs(value);
    done("del", "long");
  }

  private void inLittleMemory(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx24m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--uri", cluster.uri(), "--timeout", "60"));
    Path log = directory.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Process process = builder.redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
  }

  @Test
  void aFileIsReplacedWholeOrNotAtAll() throws IOException {
    Path value = file("value", 300_000);
    done("put", "whole", value.toString());
    Path target = Files.writeString(directory.resolve("target"), "before");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("target"));
    assertFails(1, "no value under 'none'", "get", "none", link.toString());
    assertThat(target).hasContent("before");
    done("get", "whole", link.toString());
    assertThat(link).isSymbolicLink();
    assertThat(target).hasSameBinaryContentAs(value);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("rw-r-----");
    assertFails(1, "is a directory; name the file as well", "get", "whole", directory.toString());
    done("get", "whole", "/dev/null");
    done("del", "whole");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactlyInAnyOrder(value, target, link);
    }
  }

  @Test
  void instancesAreMadeListedAndDestroyed() {
    assertThat(done("instance", "create", "scratch", "--copies", "3", "--capacity", "1MiB"))
        .contains("export FOREBAY_URI=" + cluster.uri("scratch"));
    assertThat(done("instance", "list"))
        .contains("owner", "used", "default", "scratch", "replicated", "1 MiB");
    assertThat(done("df", "scratch")).contains("capacity", "scratch", "1 MiB", "0 B", "0%");
    assertThat(done("df", "--json")).contains("\"instance\":\"default\"", "\"usedBytes\":");
    assertFails(1, "there is no instance 'nowhere'", "df", "nowhere");
    done("instance", "create", "safe", "--ack", "forced");
    assertThat(done("instance", "list", "--json")).contains("\"ack\":\"forced\"");
    done("instance", "destroy", "safe");
    assertThat(done("instance", "list", "--json")).contains("\"name\":\"scratch\"");
    assertFails(1, "there is an instance 'scratch' already", "instance", "create", "scratch");
    assertFails(1, "copies", "instance", "create", "many", "--copies", "7");
    assertFails(2, "--when-degraded continue|wait", "instance", "create", "x", "--few", "wait");
    assertFails(2, "use 'forebay job begin TOKEN", "instance", "create", "x", "--lifetime", "job");
    assertThat(done("instance", "destroy", "scratch")).contains("'scratch' is destroyed");
    assertThat(done("instance", "list")).doesNotContain("scratch");
    assertFails(1, "no instance 'scratch'", "instance", "destroy", "scratch");
    assertFails(1, "no instance 'scratch'", "ls", cluster.uri("scratch") + "/");
  }

  @Test
  void statusShowsTheRing() {
    String shown = done("status");
    assertThat(shown)
        .contains("cluster ", "manager serving", "instances: default")
        .contains("server-1", "server-2", "server-3", "16M", "64M")
        .contains("1x2", "1 2", "3 1", "serving");
    assertThat(shown.lines()).allMatch(line -> line.length() <= WIDTH_MAX);
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(done("status", "--json"));
    assertThat((List<?>) json.get("seats")).hasSize(3);
    assertThat((List<?>) json.get("groups")).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void whatIsWrongIsSaidInOneSentence() throws IOException {
    assertFails(1, "the directory above '/no/dir' does not exist", "mkdir", "/no/dir");
    assertFails(1, "is a directory; list it with 'forebay ls'", "cat", "/");
    assertFails(2, "the root of an instance stays", "rm", "-r", "/");
    assertFails(2, "none of the paths is in a cluster", "cp", "a", "b");
    assertFails(1, "does not exist", "cp", directory.resolve("none").toString(), "forebay:/");
    assertFails(1, "copy it with -r", "cp", directory.toString(), "forebay:/x");
    assertFails(2, "is no address of a cluster", "ls", "http://x/y");
    assertFails(2, "names no instance", "ls", "forebay://127.0.0.1:7070");
    assertThat(runPlain("instance").err)
        .contains("missing command: 'create', 'list', 'resize', 'protect', 'access' or");
  }

  @Test
  void aManagerThatIsNotThereIsSaidInOneSentence() throws IOException {
    assertNoManager("127.0.0.1:1", "127.0.0.1:1: no process listens there");
    assertNoManager("no-such-host.invalid", "no host is called 'no-such-host.invalid'");
    assertNoManager(
        "127.0.0.1:1,127.0.0.1:2", "127.0.0.1:1: no process", ", 127.0.0.1:2: no process");
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      assertNoManager("127.0.0.1:" + silent.getLocalPort(), "no answer within 1000 ms");
    }
    try (ServerSocket web = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> answerAll(web, "HTTP/1.1 400 Bad Request\r\n\r\n"));
      server.setDaemon(true);
      server.start();
      assertNoManager(
          "127.0.0.1:" + web.getLocalPort(), "something else listens there (it sent an HTTP");
    }
  }

  private static void answerAll(ServerSocket server, String answer) {
    try {
      while (true) {
        try (Socket caller = server.accept()) {
          caller.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
          caller.getInputStream().readAllBytes();
        }
      }
    } catch (IOException e) {
      // It is closed, and the test over.
      assertThat(server.isClosed()).isTrue();
    }
  }

  private static void assertNoManager(String address, String... sentences) {
    Outcome outcome = runPlain("ls", "forebay://" + address + "/x", "--timeout", "1");
    assertThat(outcome.err)
        .startsWith("forebay: cannot reach a manager at ")
        .contains(sentences)
        .containsPattern(
            "; (start one with 'forebay up' or check the address|check the address and what listens there)\\.\n");
    assertThat(outcome.err.lines()).hasSize(1);
    assertThat(outcome.exitCode).isEqualTo(1);
  }

  @Test
  void processesAreNotStartedWithWrongSettings() throws IOException {
    Path config = Files.writeString(directory.resolve("forebay.conf"), "\nseats = many\n");
    Outcome wrongLine = runPlain("server", "--config", config.toString(), "--dir", "x");
    assertThat(wrongLine.err).contains("forebay.conf' line 2: 'seats' cannot be 'many'");
    assertThat(wrongLine.exitCode).isEqualTo(1);
    Outcome wrongOption = runPlain("manager", "--dir", "x", "--expect", "0");
    assertThat(wrongOption.err).contains("option '--expect': 'expect' cannot be '0'");
    assertThat(wrongOption.exitCode).isEqualTo(2);
    assertThat(runPlain("server").err).contains("'dir' is missing");
    String dir = directory.resolve("data").toString();
    assertThat(runPlain("server", "--dir", dir, "--listen", "0.0.0.0:0").err)
        .contains("no address that others can dial");
    // An address for documents, which no machine has.
    assertThat(runPlain("server", "--dir", dir, "--listen", "192.0.2.1:0").err)
        .contains("without TLS", "tls-certificate", "--insecure");
    assertThat(runPlain("server", "--dir", dir, "--memory", "1MiB").err)
        .contains("memory 1 MiB", "fewer than 6 segments");
    assertThat(runPlain("up", "--listen", "0.0.0.0:0").err)
        .contains("no address that others can dial");
    assertThat(runPlain("up", "--listen", "192.0.2.1:0").err)
        .contains("192.0.2.1:0 is not an address of this machine");
    assertThat(runPlain("up", "--own-ca", "--insecure").err)
        .contains("own-ca is set, and with insecure there is no CA");
    assertThat(runPlain("up", "--listen", "no-such-host.invalid:0").err)
        .contains("'no-such-host.invalid' is not a known host");
    assertThat(runPlain("up", "--servers", "1").err).contains("2 copies need as many seats");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  /** A cluster that a command runs, until it is closed. */
  private static final class Up implements AutoCloseable {
    private final StringWriter out = new StringWriter();
    private final Thread thread;

    Up(String... options) throws InterruptedException {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("up", "--listen", "127.0.0.1:0", "--servers", "1", "--copies", "1"));
      arguments.addAll(List.of("--segment", "1MiB", "--memory", "16MiB", "--ssd", "16MiB"));
      arguments.addAll(List.of(options));
      CommandLine up = RootCommand.commandLine().setOut(new PrintWriter(out));
      thread = new Thread(() -> up.execute(arguments.toArray(String[]::new)));
      thread.start();
      while (!out.toString().contains("Ctrl-C")) {
        assertThat(thread.isAlive()).as(out.toString()).isTrue();
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }

    /** The lines that it has printed with that text. */
    List<String> lines(String text) {
      return out.toString().lines().filter(line -> line.contains(text)).toList();
    }

    String uri() {
      return lines("FOREBAY_URI").getFirst().replaceFirst(".*=", "");
    }

    @Override
    public void close() {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void upRunsUntilItIsToldToEnd() throws InterruptedException {
    String uri;
    try (Up up = new Up()) {
      uri = up.uri();
      assertThat(up.lines("TLS")).isEmpty();
      assertThat(runPlain("mkdir", uri + "/made").exitCode).isZero();
    }
    assertThat(runPlain("ls", uri + "/", "--timeout", "1").exitCode).isEqualTo(1);
  }

  @Test
  void upWithACaTellsHowToGetCertificates() throws InterruptedException {
    // Without --dir, so that nothing of its memory is left.
    try (Up up = new Up("--own-ca")) {
      assertThat(runPlain("ls", up.uri() + "/", "--timeout", "5").err)
          .contains("this port takes TLS only", "FOREBAY_TOKEN");
      assertThat(up.lines("FOREBAY_TLS_")).hasSize(3);
      for (String line : up.lines("FOREBAY_TLS_")) {
        assertThat(Path.of(line.replaceFirst(".*=", ""))).isReadable();
      }
      List<String> tokens = up.lines("token create");
      assertThat(tokens).hasSize(2);
      String manager = tokens.getFirst().replaceFirst(".* --dir (\\S+).*", "$1");
      assertThat(
              runPlain("token", "create", "--role", "server", "--uses", "0", "--dir", manager).err)
          .isEqualTo("forebay: a token has from 1 to 10000 uses.\n");
      assertThat(runPlain("token", "create", "--role", "server", "--dir", "nowhere").err)
          .contains("'nowhere' has no administrator's certificate");
      for (String line : tokens) {
        String words = line.substring(line.indexOf("token create"));
        assertThat(runPlain(words.split(" ", -1)).out).startsWith("fb1.");
      }
    }
  }
}
