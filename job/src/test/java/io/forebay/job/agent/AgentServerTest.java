// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.job.service.Command;
import io.forebay.job.service.Command.Answer;
import io.forebay.job.service.Command.Call;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentServerTest {
  private static final int WAIT_SECONDS = 60;

  @TempDir private Path folder;
  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private volatile Command command = call -> new Answer(0, "");
  private Path socket;
  private AgentServer agent;

  /** What a program printed and its exit code. */
  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void start() throws IOException {
    socket = folder.resolve("run/agent.sock");
    agent = AgentServer.start(socket, Map.of("dwstat", this::record), Set.of());
  }

  private Answer record(Call call) {
    calls.add(call);
    return command.run(call);
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    assertThat(socket).doesNotExist();
  }

  private Path client() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "needs cc: run dev/optional-packages");
    Path programs = folder.resolve("bin");
    Ended built = run(List.of("src/main/slurm/install", programs.toString()));
    assertThat(built).isEqualTo(new Ended(0, "", ""));
    return programs.resolve("dwstat");
  }

  private Ended run(List<String> words) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("FOREBAY_AGENT_SOCKET", socket.toString());
    Process process = builder.start();
    if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
    return new Ended(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  @Test
  void usersConnectToTheSocketAndCannotReplaceItWhateverTheUmask() throws Throwable {
    Path other = folder.resolve("other/agent.sock");
    int before = umask(0);
    AgentServer second;
    try {
      second = AgentServer.start(other, Map.of("dwstat", this::record), Set.of());
    } finally {
      umask(before);
    }
    try (second) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
          .isEqualTo("rw-rw-rw-");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other.getParent())))
          .isEqualTo("rwxr-xr-x");
    }
  }

  /** Sets the umask of this process, and returns the one before. */
  @SuppressWarnings("restricted")
  private static int umask(int mask) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle call =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("umask"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    return (int) call.invokeExact(mask);
  }

  @Test
  void aProgramPrintsWhatTheAgentAnswers() throws IOException, InterruptedException {
    String dwstat = client().toString();
    String text = "pool é\n".repeat(100_000);
    command = call -> new Answer(0, text);
    assertThat(run(List.of(dwstat, "most", "", "a b"))).isEqualTo(new Ended(0, text, ""));
    Call call = calls.remove();
    assertThat(call.program()).isEqualTo("dwstat");
    assertThat(call.arguments()).containsExactly("most", "", "a b");
    assertThat(call.directory()).isEqualTo(Path.of("").toAbsolutePath().toString());
    assertThat(call.caller().user()).isEqualTo(ownUser());
    assertThat(call.caller().operator()).isTrue();
  }

  private static int ownUser() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  @Test
  void theVariablesOfAJobGoToAFileOfTheCaller() throws IOException, InterruptedException {
    String dwstat = client().toString();
    Path file = Files.writeString(folder.resolve("paths"), "longer than what is written now\n");
    command = call -> new Answer(0, "DW_JOB_STRIPED=/mnt/12/\n");
    List<String> words = List.of(dwstat, "--function", "paths", "--pathfile", file.toString());
    assertThat(run(words)).isEqualTo(new Ended(0, "", ""));
    assertThat(file).hasContent("DW_JOB_STRIPED=/mnt/12/\n");

    Ended unwritable =
        run(List.of(dwstat, "--function", "paths", "--pathfile", folder + "/none/paths"));
    assertThat(unwritable.exitCode()).isEqualTo(1);
    assertThat(unwritable.err()).contains("cannot write '" + folder + "/none/paths'");

    command = call -> new Answer(1, "no buffer\n");
    assertThat(run(words)).isEqualTo(new Ended(1, "", "no buffer\n"));
    assertThat(file).hasContent("DW_JOB_STRIPED=/mnt/12/\n");
  }

  @Test
  void aFailureGoesToStandardError() throws IOException, InterruptedException {
    String dwstat = client().toString();
    command = call -> new Answer(3, "there is no pool; start a server\n");
    assertThat(run(List.of(dwstat)))
        .isEqualTo(new Ended(3, "", "there is no pool; start a server\n"));
    command =
        call -> {
          throw new IllegalStateException("broken");
        };
    Ended broken = run(List.of(dwstat));
    assertThat(broken.exitCode()).isEqualTo(1);
    assertThat(broken.err()).contains("dwstat failed in the agent").hasLineCount(1);
  }

  @Test
  void aProgramThatTheAgentDoesNotKnow() throws IOException, InterruptedException {
    Path dwcli = client().resolveSibling("dwcli");
    Ended ended = run(List.of(dwcli.toString()));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err()).contains("the agent knows no program 'dwcli'");
  }

  @Test
  void aMissingAgentIsOneSentence() throws IOException, InterruptedException {
    String dwstat = client().toString();
    agent.close();
    Ended ended = run(List.of(dwstat));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .hasLineCount(1)
        .contains("dwstat: the agent at " + socket + " cannot be reached")
        .contains("start 'forebay agent'");
  }

  @Test
  void theCallersEndIsNoticed() throws IOException, InterruptedException {
    CountDownLatch noticed = new CountDownLatch(1);
    command =
        call -> {
          while (call.presence().isWaiting()) Thread.onSpinWait();
          noticed.countDown();
          return new Answer(0, "");
        };
    try (SocketChannel channel = connect()) {
      channel.write(request(ownUser(), "dwstat", "/"));
      calls.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertThat(noticed.getCount()).isEqualTo(1);
    }
    assertThat(noticed.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aCallThatWaitsOutlivesTheAgent() throws IOException, InterruptedException {
    Path client = client().resolveSibling("dw_wlm_cli");
    agent.close();
    agent = AgentServer.start(socket, Map.of("dw_wlm_cli", this::record), Set.of());
    command =
        call -> {
          while (call.presence().isWaiting()) Thread.onSpinWait();
          return new Answer(1, "");
        };
    Path out = folder.resolve("waiting");
    ProcessBuilder builder =
        new ProcessBuilder(client.toString(), "--function", "data_in")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("FOREBAY_AGENT_SOCKET", socket.toString());
    Process process = builder.start();
    assertThat(calls.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
    agent.close();
    command = call -> new Answer(0, "done\n");
    agent = AgentServer.start(socket, Map.of("dw_wlm_cli", this::record), Set.of());
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(out).hasContent("done");
  }

  @Test
  void aUserCannotClaimToBeAnother() throws IOException {
    try (SocketChannel channel = connect()) {
      channel.write(request(ownUser() + 1, "dwstat", "/"));
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void brokenRequestsAreRefused() throws IOException {
    List<ByteBuffer> broken = new ArrayList<>();
    broken.add(ByteBuffer.allocate(8).putInt(1).putInt(0).flip());
    broken.add(ByteBuffer.allocate(8).putInt(AgentFrames.MAGIC).putInt(-1).flip());
    broken.add(ByteBuffer.allocate(8).putInt(AgentFrames.MAGIC).putInt(Integer.MAX_VALUE).flip());
    broken.add(ByteBuffer.allocate(12).putInt(AgentFrames.MAGIC).putInt(4).putInt(0).flip());
    broken.add(request(ownUser()));
    for (int lie : new int[] {-1, 5, Integer.MAX_VALUE}) {
      ByteBuffer request = request(ownUser(), "a", "b");
      request.putInt(AgentFrames.HEADER_BYTES + 3 * Integer.BYTES, lie);
      broken.add(request);
    }
    for (ByteBuffer bytes : broken) {
      try (SocketChannel channel = connect()) {
        channel.write(bytes);
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      }
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void everyUserMayConnect() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-rw-rw-");
  }

  @Test
  void aSocketHasOneAgent() {
    assertThatThrownBy(() -> AgentServer.start(socket, Map.of(), Set.of()))
        .hasMessageContaining("the socket of a running agent");
  }

  @Test
  void onlyASocketIsReplaced() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    assertThatThrownBy(() -> AgentServer.start(file, Map.of(), Set.of()))
        .hasMessageContaining("is not a socket");
    assertThat(file).hasContent("mine");
  }

  @Test
  void aSocketThatADeadAgentLeftIsReplaced() throws IOException {
    Path left = folder.resolve("left");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(left));
    }
    assertThat(left).exists();
    AgentServer.start(left, Map.of(), Set.of()).close();
    assertThat(left).doesNotExist();
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  private static ByteBuffer request(int user, String... texts) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(1024);
    int group = (int) Files.getAttribute(Path.of("/proc/self"), "unix:gid");
    buffer.putInt(AgentFrames.MAGIC).putInt(0).putInt(user).putInt(group).putInt(texts.length);
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      buffer.putInt(bytes.length).put(bytes);
    }
    buffer.putInt(Integer.BYTES, buffer.position() - AgentFrames.HEADER_BYTES);
    return buffer.flip();
  }
}
