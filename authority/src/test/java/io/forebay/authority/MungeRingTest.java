// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.host.TlsSource;
import io.forebay.client.proof.UserCredentials;
import io.forebay.ring.Tenancy;
import io.forebay.server.StartFailed;
import io.forebay.server.proof.Munge;
import io.forebay.testing.Munged;
import io.forebay.testing.NetworkSpaces;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring over TLS whose users prove themselves by a real munged, and have groups. */
@Timeout(180)
class MungeRingTest {
  private static final int HOUR = 3600;

  /** Users of every Debian: the first two have the same group, the third has another. */
  private static final int NOBODY = 65534;

  private static final int SYNC = 4;
  private static final int MAIL = 8;
  private static final Path PASSWD = Path.of("/etc/passwd");

  @TempDir Path folder;

  @BeforeEach
  void isInstalled() throws IOException {
    assumeTrue(Munged.missing().isEmpty(), Munged.missing());
    assumeTrue(Munge.isInstalled(), "needs libmunge: run dev/optional-packages");
    // Other users reach munged's socket and the CA.
    Files.setAttribute(folder, "unix:mode", 0755);
  }

  private static void assumeUsers() throws IOException {
    String users = Files.readString(PASSWD);
    assumeTrue(
        users.contains("nobody:x:65534:65534:")
            && users.contains("sync:x:4:65534:")
            && users.contains("mail:x:8:8:"),
        "needs the users nobody, sync and mail with Debian's numbers: run on Debian");
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static List<String> as(int user) {
    return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
  }

  /** The CA, where other users can read it. */
  private Path ca(EnrolledRing ring) throws IOException {
    Path copy = folder.resolve("ca.pem");
    if (Files.exists(copy)) return copy;
    Files.copy(ring.manager().resolve("certificates/manager/ca.pem"), copy);
    Files.setAttribute(copy, "unix:mode", 0644);
    return copy;
  }

  private static ForebayOptions soon() {
    return ForebayOptions.defaults().withTimeout(Duration.ofSeconds(20));
  }

  private ForebayOptions proving(EnrolledRing ring, UserCredentials credentials)
      throws IOException {
    TlsSettings verifying = TlsSettings.verifying(ca(ring), null);
    return soon()
        .withTlsSource(
            new TlsSource() {
              @Override
              public TlsSettings settings() {
                return verifying;
              }

              @Override
              public UserCredentials credentials() {
                return credentials;
              }
            });
  }

  private static UserCredentials by(Munged munged, List<String> before, int seconds) {
    return content -> {
      try {
        return new String(munged.credential(before, content, seconds), StandardCharsets.US_ASCII);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    };
  }

  private static String failure(EnrolledRing ring, ForebayOptions options) {
    try (Cluster cluster = Cluster.connect(ring.uri(""), options)) {
      return "connected to " + cluster.map().cluster();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String audit(EnrolledRing ring) throws IOException {
    return Files.readString(ring.manager().resolve("audit/audit.log"));
  }

  @Test
  void whatProvesNothingIsRefusedWithTheReason() throws Exception {
    try (Munged munged = Munged.start(folder.resolve("munge"));
        Munged foreign = Munged.start(folder.resolve("foreign"));
        EnrolledRing ring = new EnrolledRing(folder, 1, "munge", munged.socket().toString())) {
      ring.start("a", ring.token(Role.SERVER, "", 1));
      assertThat(failure(ring, proving(ring, by(foreign, List.of(), HOUR))))
          .contains("give both machines the same munge.key");
      assertThat(failure(ring, proving(ring, content -> "nonsense")))
          .contains("it is no credential of MUNGE");
      UserCredentials good = by(munged, List.of(), HOUR);
      assertThat(failure(ring, proving(ring, content -> good.make("another service"))))
          .contains("made for another service or manager");

      List<String> kept = new ArrayList<>();
      UserCredentials same =
          content -> {
            if (kept.isEmpty()) kept.add(good.make(content));
            return kept.get(0);
          };
      assertThat(failure(ring, proving(ring, same))).startsWith("connected");
      assertThat(failure(ring, proving(ring, same))).contains("was used before");

      List<String> brief = new ArrayList<>();
      UserCredentials expiring =
          content -> {
            if (brief.isEmpty()) brief.add(by(munged, List.of(), 1).make(content));
            return brief.get(0);
          };
      String said = failure(ring, proving(ring, expiring));
      while (said.startsWith("connected") || said.contains("used before")) {
        said = failure(ring, proving(ring, expiring));
      }
      assertThat(said).contains("has expired; compare the clocks of both machines");
      EnrolledRing.await(() -> audit(ring).contains("has expired; compare the clocks"));
      assertThat(audit(ring)).contains("same munge.key").contains("was used before");

      munged.stop();
      UserCredentials made = by(foreign, List.of(), HOUR);
      assertThat(failure(ring, proving(ring, made).withTimeout(Duration.ofSeconds(5))))
          .contains("munged does not answer on the manager's machine")
          .contains("start it there");
    }
  }

  @Test
  void aManagerWithoutTlsTakesNoMunge() {
    assertThatThrownBy(() -> new EnrolledRing(folder, 1, "munge", "on", "own-ca", "false").close())
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining("munge needs TLS");
  }

  @Test
  void anInstanceOfAGroupIsForCertificatesOfItsMembers() throws Exception {
    assumeUsers();
    try (EnrolledRing ring = new EnrolledRing(folder, 1)) {
      ring.start("a", ring.token(Role.SERVER, "", 1));
      ForebayOptions owner = soon().withTls(ring.client(NOBODY).settings());
      try (Cluster cluster = Cluster.connect(ring.uri(""), owner)) {
        cluster.createInstance(
            "ours",
            InstanceOptions.defaults()
                .withCopies(1)
                .withTenancy(Tenancy.OPEN.withPermit(Tenancy.Permit.GROUP)));
      }
      IdentityFiles member = ring.client(SYNC);
      try (Forebay client = Forebay.connect(ring.uri("ours"), soon().withTls(member.settings()))) {
        assertThat(client.options().identity().groups()).containsExactly(NOBODY);
        assertThat(client.stat("/").user()).isEqualTo(NOBODY);
      }
      IdentityFiles outsider = ring.client(MAIL);
      assertThatThrownBy(
              () -> Forebay.connect(ring.uri("ours"), soon().withTls(outsider.settings())).close())
          .hasMessageContaining("there is no instance 'ours'");
    }
  }

  @Test
  void usersOfOtherMachinesNeedNoCertificate() throws Exception {
    assumeTrue(isRoot(), "needs root: run the suite as root");
    assumeTrue(NetworkSpaces.missing().isEmpty(), NetworkSpaces.missing());
    assumeUsers();
    try (NetworkSpaces network = NetworkSpaces.make(List.of("node"));
        Munged munged = Munged.start(folder.resolve("munge"));
        EnrolledRing ring =
            new EnrolledRing(
                folder,
                1,
                "munge",
                munged.socket().toString(),
                "listen",
                network.ownAddress() + ":0")) {
      ring.start("a", ring.token(Role.SERVER, "", 1));
      List<String> there = network.hosts().get("node").command();
      try (Client nobody = client(ring, there, munged, NOBODY);
          Client sync = client(ring, there, munged, SYNC);
          Client mail = client(ring, there, munged, MAIL);
          Client root = client(ring, there, munged, 0)) {
        assertThat(nobody.ask("create " + ring.uri("") + " ours group")).isEqualTo("ok ours");
        assertThat(nobody.ask("write " + ring.uri("ours") + " hello"))
            .isEqualTo("ok [65534, 65534, 65534]");
        assertThat(sync.ask("read " + ring.uri("ours"))).isEqualTo("ok hello");
        assertThat(mail.ask("read " + ring.uri("ours"))).contains("there is no instance 'ours'");
        assertThat(root.ask("read " + ring.uri("ours")))
            .contains("root of another machine is not root of the cluster");
      }
      EnrolledRing.await(() -> audit(ring).contains("user 65534 by MUNGE"));
      Path seats = ring.server("a").resolve("audit/audit.log");
      EnrolledRing.await(() -> Files.readString(seats).contains("capability of user 4"));
    }
  }

  /** Runs a client on another host, whose program 'munge' acts as a user. */
  private Client client(EnrolledRing ring, List<String> there, Munged munged, int user)
      throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools-" + user));
    Path program = tools.resolve("munge");
    String before = user == 0 ? "" : String.join(" ", as(user));
    Files.writeString(program, "#!/bin/sh\nexec " + before + " /usr/bin/munge \"$@\"\n");
    Files.setAttribute(program, "unix:mode", 0755);
    List<String> command = new ArrayList<>(there);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MungeClient.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(folder.resolve("client-" + user + ".err").toFile());
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().put("FOREBAY_PROOF", "munge:" + munged.socket());
    builder.environment().put("FOREBAY_TLS_CA", ca(ring).toString());
    return new Client(builder.start());
  }

  /** A {@link MungeClient}. */
  private static final class Client implements AutoCloseable {
    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    Client(Process process) {
      this.process = process;
      this.commands = process.outputWriter(StandardCharsets.UTF_8);
      this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    String ask(String command) throws IOException {
      commands.write(command + "\n");
      commands.flush();
      return String.valueOf(answers.readLine());
    }

    @Override
    public void close() {
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
