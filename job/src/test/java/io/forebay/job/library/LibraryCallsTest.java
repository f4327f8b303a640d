// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.job.agent.AgentServer;
import io.forebay.job.library.MountedPaths.Mounted;
import io.forebay.job.service.Command.Answer;
import io.forebay.job.service.Command.Call;
import io.forebay.job.service.Command.Caller;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.stage.side.StageAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every call of the library, made by a program in C, against an agent and a cluster. A plain
 * directory stands for the mount.
 */
@Timeout(300)
class LibraryCallsTest {
  /** Such that a stage of the slow file outlasts every test; tests end it. */
  private static final long STAGE_BYTES_PER_SECOND = 200_000;

  private static final int SLOW_BYTES = 12_000_000;

  private static final int EBUSY = -16;
  private static final int EINVAL = -22;

  @TempDir private static Path folder;
  private static Path outside;
  private static Path buffer;
  private static Path socket;
  private static EmbeddedCluster cluster;
  private static LibraryCommand command;
  private static AgentServer agent;
  private static LibraryPrograms programs;
  private static Path dwcall;

  @BeforeAll
  static void start() throws IOException, InterruptedException, StartFailed {
    outside = Files.createDirectory(folder.toRealPath().resolve("pfs"));
    buffer = Files.createDirectory(folder.toRealPath().resolve("buffer"));
    socket = folder.resolve("agent.sock");
    programs = LibraryPrograms.install(folder.resolve("usr"), socket);
    dwcall = programs.compile("dwcall");
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 64 << 20)
            .staging(new StageAccess(List.of(outside), STAGE_BYTES_PER_SECOND))
            .start();
    startAgent();
    Files.write(outside.resolve("slow"), new byte[SLOW_BYTES]);
  }

  private static void startAgent() throws IOException {
    command = new LibraryCommand(LibraryCallsTest::mounted, ForebayOptions.defaults());
    agent = AgentServer.start(socket, Map.of(LibraryCommand.PROGRAM, command), Set.of());
  }

  /** The directory {@code buffer} is the default instance, others beside it are as their names. */
  private static Mounted mounted(String path) {
    Path whole = Path.of(path);
    if (whole.startsWith(buffer)) return new Mounted(buffer.toString(), cluster.uri(), false);
    Path instances = folder.resolve("instances");
    if (!whole.startsWith(instances) || whole.equals(instances)) return null;
    String name = instances.relativize(whole).getName(0).toString();
    return new Mounted(instances.resolve(name).toString(), cluster.uri(name), false);
  }

  @AfterAll
  static void end() throws IOException {
    if (agent != null) agent.close();
    if (command != null) command.close();
    if (cluster != null) cluster.close();
  }

  private static String call(Object... words) throws IOException, InterruptedException {
    return programs.call(dwcall, words);
  }

  private static void put(String path, String text) throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      put(client, path, text);
    }
  }

  private static void put(Forebay client, String path, String text) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE, TRUNCATE_EXISTING)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }
  }

  private static String read(String path) throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri());
        ForebayFile file = client.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) client.stat(path).sizeBytes());
      while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aFileGoesInAndOut() throws IOException, InterruptedException {
    Path source = Files.writeString(outside.resolve("one"), "one");
    Path here = buffer.resolve("new/one");
    assertThat(call("query_file", here)).isEqualTo("-2");
    assertThat(call("file_in", here, source)).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("0");
    assertThat(call("query_file", here)).isEqualTo("0: 1 0 0 0");
    assertThat(read("/new/one")).isEqualTo("one");

    // The target is replaced.
    Path target = Files.writeString(outside.resolve("out"), "something else");
    assertThat(call("file_out", here, target, "immediate")).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("0");
    assertThat(target).hasContent("one");
    put("/new/one", "another");
    assertThat(call("file_out", here, target, "immediate")).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("0");
    assertThat(target).hasContent("another");

    // A file that was removed, and one of the same name.
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.unlink("/new/one");
      assertThat(call("query_file", here)).isEqualTo("-2");
      put(client, "/new/one", "new");
    }
    assertThat(call("query_file", here)).isEqualTo("-22");
    assertThat(call("wait_file", here)).isEqualTo("-22");
    assertThat(call("terminate_file", here)).isEqualTo("-22");
  }

  @Test
  void directoriesAndFilesBelowThem() throws IOException, InterruptedException {
    Path source = Files.createDirectories(outside.resolve("tree/deep"));
    Files.writeString(source.resolve("a"), "a");
    Files.writeString(source.resolveSibling("b"), "b");
    Path here = buffer.resolve("tree");
    assertThat(call("directory_in", here, outside.resolve("tree") + "/")).isEqualTo("0");
    assertThat(call("wait_directory", here + "/")).isEqualTo("0");
    assertThat(call("query_directory", here)).isEqualTo("0: 2 0 0 0");
    assertThat(call("query_file", here.resolve("deep/a"))).isEqualTo("0: 1 0 0 0");
    assertThat(call("query_directory", here.resolve("deep"))).isEqualTo("0: 1 0 0 0");
    assertThat(read("/tree/deep/a")).isEqualTo("a");

    // A stage of a file counts at the directories above it.
    assertThat(call("file_out", here.resolve("b"), outside.resolve("b2"), "immediate"))
        .isEqualTo("0");
    assertThat(call("wait_directory", here)).isEqualTo("0");
    assertThat(call("query_directory", here)).isEqualTo("0: 3 0 0 0");
    assertThat(call("directory_out", here, outside.resolve("tree2"), "immediate")).isEqualTo("0");
    assertThat(call("wait_directory", here)).isEqualTo("0");
    assertThat(call("query_directory", here)).isEqualTo("0: 2 0 0 0");
    assertThat(outside.resolve("tree2/deep/a")).hasContent("a");

    // One without files counts as one, so that a program that polls comes to an end.
    Files.createDirectory(outside.resolve("empty"));
    assertThat(call("directory_in", buffer.resolve("empty"), outside.resolve("empty")))
        .isEqualTo("0");
    assertThat(call("wait_directory", buffer.resolve("empty"))).isEqualTo("0");
    assertThat(call("query_directory", buffer.resolve("empty"))).isEqualTo("0: 1 0 0 0");
  }

  @Test
  void theRootOfAnInstance() throws IOException, InterruptedException {
    try (Cluster connection = Cluster.connect(cluster.uri())) {
      connection.createInstance("rooted", InstanceOptions.defaults());
    }
    Path root = folder.toRealPath().resolve("instances/rooted");
    Path source = Files.createDirectories(outside.resolve("rooted"));
    Files.writeString(source.resolve("a"), "a");
    assertThat(call("query_directory", root)).isEqualTo("-22");
    assertThat(call("directory_in", root + "/", source)).isEqualTo("0");
    assertThat(call("wait_directory", root)).isEqualTo("0");
    assertThat(call("query_file", root.resolve("a"))).isEqualTo("0: 1 0 0 0");
    assertThat(call("directory_out", root, outside.resolve("rooted2"), "immediate")).isEqualTo("0");
    assertThat(call("wait_directory", root)).isEqualTo("0");
    assertThat(outside.resolve("rooted2/a")).hasContent("a");
  }

  @Test
  void listsOfFiles() throws IOException, InterruptedException {
    List<Object> sources = new ArrayList<>();
    List<Object> here = new ArrayList<>();
    Path directory = buffer.resolve("listed");
    for (String name : List.of("x", "y", "z")) {
      sources.add(Files.writeString(outside.resolve("list-" + name), name));
      here.add(directory.resolve("list-" + name));
    }
    assertThat(call(words("list_in", List.of(directory), sources))).isEqualTo("0");
    assertThat(call(words("wait_list", here))).isEqualTo("0");
    assertThat(call(words("query_list", here))).isEqualTo("0: 3 0 0 0");
    assertThat(call(words("query_list", here.subList(0, 2)))).isEqualTo("0: 2 0 0 0");
    assertThat(call("query_directory", directory)).isEqualTo("0: 3 0 0 0");
    assertThat(read("/listed/list-y")).isEqualTo("y");

    Path target = outside.resolve("lists");
    assertThat(call(words("list_out", List.of("at_job_end", target), here))).isEqualTo("0");
    assertThat(call(words("query_list", here))).isEqualTo("0: 0 0 3 0");
    assertThat(call("file_out", here.get(0), "-", "activate")).isEqualTo("-95");
    assertThat(call(words("list_out", List.of("revoke", "-"), here))).isEqualTo("0");
    assertThat(call(words("query_list", here))).isEqualTo("-22");
    assertThat(call(words("list_out", List.of("at_job_end", target), here))).isEqualTo("0");
    assertThat(call(words("list_out", List.of("activate", target), here))).isEqualTo("0");
    assertThat(call("wait_directory", directory)).isEqualTo("0");
    assertThat(target.resolve("list-z")).hasContent("z");

    // One of them is missing; the others are staged.
    Files.delete(outside.resolve("list-y"));
    assertThat(call(words("list_in", List.of(directory), sources))).isEqualTo("0");
    assertThat(call(words("wait_list", here))).isEqualTo("-2");
    assertThat(call(words("query_list", here))).isEqualTo("0: 2 0 0 1");
    assertThat(call("query_file", here.get(1))).isEqualTo("0: 0 0 0 1");
    assertThat(call("query_file", here.get(2))).isEqualTo("0: 1 0 0 0");
    assertThat(call("failures", directory)).isEqualTo("-2 " + here.get(1) + " 1\n0\n0");
    assertThat(call(words("terminate_list", here))).isEqualTo("0");
    assertThat(call("failures", directory)).isEqualTo("0\n0");

    assertThat(call("list_in", directory, sources.get(0), sources.get(0))).isEqualTo("-22");
    assertThat(call("list_in", directory)).isEqualTo("-22");
    assertThat(call("list_in", directory, outside)).isEqualTo("-21");
  }

  private static Object[] words(String call, List<?>... parts) {
    List<Object> words = new ArrayList<>(List.of(call));
    for (List<?> part : parts) words.addAll(part);
    return words.toArray();
  }

  @Test
  void aLongListBecomesSeveralRequests() throws IOException, InterruptedException {
    List<Object> sources = new ArrayList<>();
    List<Object> here = new ArrayList<>();
    for (int i = 0; i < 4100; i++) {
      sources.add("/none/" + i);
      here.add(buffer.resolve("long/" + i));
    }
    assertThat(call(words("list_in", List.of(buffer.resolve("long")), sources))).isEqualTo("0");
    assertThat(call(words("wait_list", here))).isEqualTo("-1");
    assertThat(call(words("query_list", here))).isEqualTo("0: 0 0 0 4100");
    assertThat(call(words("terminate_list", here))).isEqualTo("0");
    assertThat(call(words("query_list", here))).isEqualTo("-2");
  }

  @Test
  void failuresStayUntilTheyAreTerminatedOrStagedAgain() throws IOException, InterruptedException {
    Path directory = buffer.resolve("failing");
    Path here = directory.resolve("in");
    assertThat(call("file_in", here, outside.resolve("later"))).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("-2");
    assertThat(call("query_file", here)).isEqualTo("0: 0 0 0 1");
    put("/failing-out", "text");
    assertThat(call("file_out", buffer.resolve("failing-out"), "/elsewhere/x", "immediate"))
        .isEqualTo("0");
    assertThat(call("wait_file", buffer.resolve("failing-out"))).isEqualTo("-1");
    assertThat(call("failures", directory)).isEqualTo("-2 " + here + " 1\n0\n0");
    assertThat(call("failures", buffer))
        .contains("-2 " + here + " 1", "-1 " + buffer.resolve("failing-out") + " 1");
    assertThat(call("failures", directory, 5)).isEqualTo("-34\n0");

    // Staged again.
    Files.writeString(outside.resolve("later"), "later");
    assertThat(call("file_in", here, outside.resolve("later"))).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("0");
    assertThat(call("failures", directory)).isEqualTo("0\n0");
    // Removed.
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.unlink("/failing-out");
    }
    assertThat(call("failures", buffer)).doesNotContain("failing-out");
    // Terminated.
    assertThat(call("file_in", here, outside.resolve("nothing"))).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("-2");
    assertThat(call("terminate_file", here)).isEqualTo("0");
    assertThat(call("failures", directory)).isEqualTo("0\n0");
    assertThat(call("query_file", here)).isEqualTo("-22");
  }

  @Test
  void failuresInsideOfADirectory() throws IOException, InterruptedException {
    Path source = Files.createDirectories(outside.resolve("partly"));
    Files.writeString(source.resolve("good"), "good");
    Files.createDirectory(source.resolve("bad"));
    put("/partly-bad", "");
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.mkdir("/partly");
      put(client, "/partly/bad", "in the way");
    }
    Path here = buffer.resolve("partly");
    assertThat(call("directory_in", here, source)).isEqualTo("0");
    int waited = Integer.parseInt(call("wait_directory", here));
    assertThat(waited).isNegative();
    assertThat(call("query_file", here.resolve("good"))).isEqualTo("0: 1 0 0 0");
    assertThat(call("failures", here)).isEqualTo(waited + " " + here.resolve("bad") + " 1\n0\n0");
    assertThat(call("terminate_file", here.resolve("bad"))).isEqualTo("-95");
    assertThat(call("terminate_directory", here)).isEqualTo("0");
    assertThat(call("failures", here)).isEqualTo("0\n0");
  }

  @Test
  void oneStageOfAFileIsActiveAndCanBeTerminated() throws IOException, InterruptedException {
    Path slow = outside.resolve("slow");
    Path here = buffer.resolve("busy/slow");
    assertThat(call("file_in", here, slow)).isEqualTo("0");
    assertThat(call("file_in", here, slow)).isEqualTo(Integer.toString(EBUSY));
    assertThat(call("directory_in", here.getParent(), outside)).isEqualTo("-16");
    assertThat(call("query_file", here)).isEqualTo("0: 0 1 0 0");
    assertThat(call("query_directory", here.getParent())).isEqualTo("0: 0 1 0 0");
    assertThat(call("terminate_file", here)).isEqualTo("0");
    assertThat(call("query_file", here)).isEqualTo("-2");
    assertThat(call("terminate_file", here)).isEqualTo("-2");
    Path quick = Files.writeString(outside.resolve("quick"), "text");
    assertThat(call("file_in", here, quick)).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("0");
    assertThat(call("terminate_file", here)).isEqualTo(Integer.toString(EINVAL));
    assertThat(call("query_file", here)).isEqualTo("0: 1 0 0 0");
  }

  @Test
  void aWaitGoesOnWithTheNextAgent() throws IOException, InterruptedException {
    Path here = buffer.resolve("restart");
    assertThat(call("file_in", here, outside.resolve("slow"))).isEqualTo("0");
    LibraryPrograms.Running waits = programs.begin(dwcall, "wait_file", here);
    awaitConnection(waits);
    agent.close();
    command.close();
    try {
      assertThat(call("query_file", here)).isEqualTo("-112");
      assertThat(call("wait_file", here)).isEqualTo("-112");
      assertThat(waits.process().isAlive()).isTrue();
    } finally {
      startAgent();
    }
    assertThat(call("query_file", here)).isEqualTo("0: 0 1 0 0");
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      for (StageStatus each : staging.all()) {
        if (each.request().destination().equals("/restart")) staging.cancel(each.id());
      }
    }
    assertThat(waits.end()).isEqualTo("-125");
    assertThat(call("query_file", here)).isEqualTo("0: 0 0 0 1");
  }

  /** Until the agent has the request of a program. */
  private static void awaitConnection(LibraryPrograms.Running running)
      throws IOException, InterruptedException {
    Path open = Path.of("/proc/" + running.process().pid() + "/fd");
    while (!hasSocket(open)) Thread.sleep(5);
    // The agent accepts connections one after another: it has that one when it answers a later one.
    call("query_file", buffer.resolve("none"));
  }

  private static boolean hasSocket(Path open) throws IOException {
    try (var all = Files.list(open)) {
      for (Path each : all.toList()) {
        if (Files.readSymbolicLink(each).toString().startsWith("socket:")) return true;
      }
    }
    return false;
  }

  @Test
  void deferredStagesRunWhenTheInstanceEnds() throws IOException, InterruptedException {
    try (Cluster connection = Cluster.connect(cluster.uri())) {
      connection.createInstance("job", InstanceOptions.defaults());
      Path here = folder.toRealPath().resolve("instances/job");
      try (Forebay client = Forebay.connect(cluster.uri("job"))) {
        for (String name : List.of("kept", "revoked", "now", "moved"))
          put(client, "/" + name, name);
      }
      assertThat(call("file_out", here.resolve("none"), outside.resolve("x"), "at_job_end"))
          .isEqualTo("-2");
      for (String name : List.of("kept", "revoked", "now", "moved")) {
        assertThat(call("file_out", here.resolve(name), outside.resolve(name), "at_job_end"))
            .isEqualTo("0");
      }
      assertThat(call("query_file", here.resolve("kept"))).isEqualTo("0: 0 0 1 0");
      assertThat(call("query_directory", here)).isEqualTo("0: 0 0 4 0");
      assertThat(call("wait_file", here.resolve("kept"))).isEqualTo("-22");
      assertThat(call("file_out", here.resolve("revoked"), "-", "revoke")).isEqualTo("0");
      assertThat(call("file_out", here.resolve("revoked"), "-", "revoke")).isEqualTo("-22");
      assertThat(call("query_file", here.resolve("revoked"))).isEqualTo("-22");
      assertThat(call("file_out", here.resolve("now"), "-", "activate")).isEqualTo("0");
      assertThat(call("wait_file", here.resolve("now"))).isEqualTo("0");
      assertThat(outside.resolve("now")).hasContent("now");
      assertThat(call("file_out", here.resolve("now"), "-", "activate")).isEqualTo("-22");
      // A later request takes the place of one that is deferred.
      assertThat(call("file_out", here.resolve("moved"), outside.resolve("moved2"), "at_job_end"))
          .isEqualTo("0");
      connection.destroyInstance("job");
      while (connection.instances().stream().anyMatch(each -> each.name().equals("job"))) {
        Thread.sleep(20);
      }
    }
    assertThat(outside.resolve("kept")).hasContent("kept");
    assertThat(outside.resolve("moved2")).hasContent("moved");
    assertThat(outside.resolve("moved")).doesNotExist();
    assertThat(outside.resolve("revoked")).doesNotExist();
  }

  @Test
  void concurrencyIsThatOfLaterStages() throws IOException, InterruptedException {
    assertThat(call("concurrency", buffer, 3)).isEqualTo("0");
    assertThat(call("concurrency", buffer, 0)).isEqualTo("-22");
    Files.writeString(outside.resolve("concurrent"), "text");
    Path here = buffer.resolve("concurrent");
    assertThat(call("file_in", here, outside.resolve("concurrent"))).isEqualTo("0");
    assertThat(call("wait_file", here)).isEqualTo("0");
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      StageStatus stage =
          staging.all().stream()
              .filter(each -> each.request().destination().equals("/concurrent"))
              .findFirst()
              .orElseThrow();
      assertThat(stage.request().concurrency()).isEqualTo(3);
    }
    assertThat(call("concurrency", buffer, 1000)).isEqualTo("0");
  }

  @Test
  void stripesAreThoseOfTheInstance() throws IOException, InterruptedException {
    put("/striped", "text");
    Path here = Files.writeString(buffer.resolve("striped"), "");
    String layout = call("stripes", here);
    assertThat(layout).matches("0: \\d+ 2 0");
    String size = layout.split(" ", -1)[1];
    assertThat(call("stripes", here, size, 2)).isEqualTo("0");
    assertThat(call("stripes", here, 4096, 2)).isEqualTo("-95");
    assertThat(call("stripes", here, 4097, 2)).isEqualTo("-22");
    assertThat(call("stripes", here, 4096, 0)).isEqualTo("-22");
    assertThat(call("stripes", "bad")).isEqualTo("-9");
    assertThat(call("stripes", "stdin")).isEqualTo("-22");
    assertThat(call("stripes", outside.resolve("slow"))).isEqualTo("-22");
  }

  @Test
  void accountingAndMetadataPaths() throws IOException, InterruptedException {
    assertThat(call("accounting", buffer))
        .startsWith("0 {\"instance\":\"default\"")
        .contains("\"file_size_limit\":0", "\"write_moving_avg\":", "\"stage_bytes_read\":");
    assertThat(call("accounting", outside)).isEqualTo("-22 (null)");
    assertThat(call("mds", buffer + "/")).isEqualTo(buffer + "/");
  }

  @Test
  void mistakes() throws IOException, InterruptedException {
    Path source = Files.writeString(outside.resolve("mistake"), "text");
    assertThat(call("file_in", outside.resolve("x"), source)).isEqualTo("-22");
    assertThat(call("file_in", "-", source)).isEqualTo("-22");
    assertThat(call("file_in", buffer.resolve("x"), "-")).isEqualTo("-22");
    assertThat(call("file_in", buffer.resolve("x"), outside)).isEqualTo("-21");
    assertThat(call("file_in", buffer, source)).isEqualTo("-21");
    assertThat(call("directory_in", buffer.resolve("x"), source)).isEqualTo("-20");
    assertThat(call("file_out", buffer.resolve("none"), source, "immediate")).isEqualTo("-2");
    assertThat(call("file_out", buffer.resolve("none"), source, "never")).isEqualTo("-22");
    assertThat(call("directory_out", buffer.resolve("none"), source, "immediate")).isEqualTo("-2");
    assertThat(call("file_out", buffer, source, "immediate")).isEqualTo("-21");
    assertThat(call("file_in", buffer.resolve("x".repeat(200) + "/" + "y/".repeat(400)), source))
        .isEqualTo("-36");
    assertThat(call("failures", outside)).isEqualTo("-22");
    assertThat(call("query_file", folder.toRealPath().resolve("instances/none/x")))
        .isEqualTo("-19");
  }

  @Test
  void treesOfNodes() throws IOException, InterruptedException {
    try (Cluster connection = Cluster.connect(cluster.uri())) {
      connection.createInstance(
          "private", InstanceOptions.defaults().withAccess(Instance.Access.PRIVATE));
    }
    Path here = folder.toRealPath().resolve("instances/private");
    Files.writeString(outside.resolve("private-in"), "text");
    assertThat(call("file_in", here.resolve("in"), outside.resolve("private-in"))).isEqualTo("0");
    assertThat(call("wait_file", here.resolve("in"))).isEqualTo("0");
    assertThat(call("query_directory", here)).isEqualTo("0: 1 0 0 0");
    assertThat(call("file_out", here.resolve("in"), outside.resolve("private-out"), "immediate"))
        .isEqualTo("0");
    assertThat(call("wait_file", here.resolve("in"))).isEqualTo("0");
    assertThat(outside.resolve("private-out")).hasContent("text");
  }

  @Test
  void aClusterThatDoesNotAnswer() {
    MountedPaths elsewhere = path -> new Mounted("/mnt", "forebay://127.0.0.1:1/none", false);
    ForebayOptions impatient = ForebayOptions.defaults().withTimeout(Duration.ofMillis(500));
    try (LibraryCommand alone = new LibraryCommand(elsewhere, impatient)) {
      Answer answer =
          alone.run(
              new Call(
                  LibraryCommand.PROGRAM,
                  List.of("query", "file", "/mnt/x"),
                  "/",
                  new Caller(0, 0, true),
                  () -> true));
      assertThat(answer.exitCode()).as(answer.text()).isEqualTo(113);
    }
  }

  @Test
  void onlyTheOwnerMayStage() throws IOException {
    put("/owned", "text");
    Answer refused = answer(4242, "out", "file", "immediate", buffer + "/owned", outside + "/o");
    assertThat(refused.text()).startsWith("libdatawarp: ").contains("user 4242");
    assertThat(refused.exitCode()).isEqualTo(13);
    assertThat(answer(4242, "concurrency", "directory", buffer.toString(), "3").exitCode())
        .isEqualTo(13);
  }

  @Test
  void callsThatNoLibraryMakes() {
    assertThat(answer(0, "unknown", "file").exitCode()).isEqualTo(95);
    assertThat(answer(0).exitCode()).isEqualTo(22);
    assertThat(answer(0, "query", "file").exitCode()).isEqualTo(22);
    assertThat(answer(0, "query", "thing", buffer.toString()).exitCode()).isEqualTo(22);
    assertThat(answer(0, "concurrency", "directory", buffer.toString(), "x").exitCode())
        .isEqualTo(22);
    assertThat(answer(0, "query", "file", buffer + "/../x").exitCode()).isEqualTo(22);
  }

  private static Answer answer(long user, String... arguments) {
    Caller caller = new Caller(user, user, false);
    return command.run(
        new Call(LibraryCommand.PROGRAM, List.of(arguments), "/", caller, () -> true));
  }
}
