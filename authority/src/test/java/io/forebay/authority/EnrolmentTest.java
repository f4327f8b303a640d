// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.MonotonicClock;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.enrol.EnvironmentTls;
import io.forebay.client.enrol.IdentityKeeper;
import io.forebay.client.enrol.RequestRefused;
import io.forebay.server.StartFailed;
import io.forebay.server.audit.AuditLine;
import io.forebay.server.authority.CertificateMakers;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.authority.Holder;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsIdentity;
import io.forebay.wire.tls.TlsSettings;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens against a real manager. */
@Timeout(120)
class EnrolmentTest {
  private static final CertificateName NODE = new CertificateName(Role.AGENT, "node1");

  @TempDir Path folder;

  private Enroller enroller(EnrolledRing ring) {
    return new Enroller(List.of(ring.address()), new IdentityFiles(folder.resolve("node1")));
  }

  @Test
  void aServerWithWrongSettingsUsesUpNoToken() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 1)) {
      JoinToken token = ring.token(Role.SERVER, "", 1);
      List<Map<String, String>> wrong =
          List.of(
              Map.of("memory", "1MiB"),
              Map.of("memory", "1MiB", "anonymous-memory", "true"),
              Map.of("listen", "0.0.0.0:0"));
      for (Map<String, String> each : wrong) {
        assertThatThrownBy(() -> ring.start("a", token, each)).isInstanceOf(StartFailed.class);
        assertThat(ring.filesOf("a").exist()).isFalse();
      }
      ring.start("a", token);
    }
  }

  @Test
  void tokensAreForOneRoleAndTheirUsesAndTheirTime() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 1);
        CertificateAdmin admin = ring.admin()) {
      JoinToken server = ring.token(Role.SERVER, "", 1);
      assertThatThrownBy(() -> enroller(ring).enrol(server, NODE, List.of()))
          .hasMessageContaining("is for role server, not agent");
      JoinToken unknown = new JoinToken(server.authority(), Bytes.copyOf(new byte[24]));
      assertThatThrownBy(() -> enroller(ring).enrol(unknown, NODE, List.of()))
          .hasMessageContaining("unknown or has expired");

      CertificateAdmin.Made brief = admin.createToken(Role.AGENT, "", Duration.ofSeconds(1), 1);
      JoinToken token = ring.token(Role.AGENT, "", 1);
      enroller(ring).enrol(token, NODE, List.of());
      assertThat(enroller(ring).isEnrolled(token, NODE)).isTrue();
      CertificateName other = new CertificateName(Role.AGENT, "node2");
      assertThatThrownBy(() -> enroller(ring).enrol(token, other, List.of()))
          .hasMessageContaining("has been used");
      EnrolledRing.await(() -> Instant.now().isAfter(brief.expiry()));
      assertThatThrownBy(() -> enroller(ring).enrol(brief.token(), other, List.of()))
          .hasMessageContaining("unknown or has expired");
      assertThat(admin.certificates())
          .filteredOn(each -> each.role() == Role.AGENT)
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.role()).isEqualTo(Role.AGENT);
                assertThat(each.name()).isEqualTo("node1");
                assertThat(each.expirySeconds() - each.issuedSeconds())
                    .isBetween(Duration.ofDays(89).toSeconds(), Duration.ofDays(91).toSeconds());
              });
      assertThat(admin.revoke("node1")).isEqualTo(1);
      Path audit = ring.manager().resolve("audit/audit.log");
      EnrolledRing.await(() -> Files.readString(audit).contains("\"TokenExpired\""));
      List<AuditLine> lines = Files.readAllLines(audit).stream().map(AuditLine::parse).toList();
      assertThat(lines)
          .extracting(line -> line.action() + (line.refusal() == null ? "" : " refused"))
          .containsExactly(
              "CreateToken",
              "Enrol refused",
              "Enrol refused",
              "CreateToken",
              "CreateToken",
              "Enrol",
              "Enrol refused",
              "Enrol refused",
              "Revoke",
              "TokenExpired");
      assertThat(lines.get(0).principal()).isEqualTo("certificate of admin 'operator'");
      assertThat(lines.get(5).detail()).matches("agent 'node1' by token .{8}, number .* until .*");
      assertThat(lines.get(6).refusal()).contains("has been used");
      assertThat(lines.get(8).detail()).contains("all of 'node1', agent 'node1' number ");
      assertThat(lines.get(9).detail()).endsWith(" for any agent, 1 use left");

      // Restarted, it has the same CA and knows what it has issued.
      ring.stopManager();
      ring.startManager();
      try (CertificateAdmin again = ring.admin()) {
        assertThat(again.certificates())
            .filteredOn(each -> each.role() == Role.AGENT)
            .singleElement()
            .matches(each -> each.revoked());
        assertThat(again.certificates())
            .extracting(Enrolment.Certificate::role)
            .containsExactlyInAnyOrder(Role.MANAGER, Role.ADMIN, Role.AGENT);
      }
      assertThat(ring.token(Role.AGENT, "", 1).authority()).isEqualTo(token.authority());
    }
  }

  @Test
  void onlyAdministratorsMakeTokensAndStrangersGetNothing() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 1)) {
      IdentityFiles client = ring.client(1000);
      try (CertificateAdmin fake =
          CertificateAdmin.of(List.of(ring.address()), client.settings())) {
        assertThatThrownBy(() -> fake.createToken(Role.SERVER, "", Duration.ofMinutes(1), 1))
            .isInstanceOf(RequestRefused.class);
        assertThatThrownBy(fake::certificates).isInstanceOf(RequestRefused.class);
        assertThatThrownBy(() -> fake.revoke("x")).isInstanceOf(RequestRefused.class);
      }
    }
  }

  @Test
  void aClientEnrolsByItsEnvironmentOnce() throws Exception {
    CertificateName user = CertificateName.user(1000);
    try (EnrolledRing ring = new EnrolledRing(folder, 1)) {
      assertThatThrownBy(() -> ring.token(Role.USER, "", 1)).hasMessageContaining("name the user");
      assertThatThrownBy(() -> ring.token(Role.USER, "0", 1)).hasMessageContaining("root uses");
      String token = ring.token(Role.USER, user.name(), 1).text();
      EnvironmentTls source = new EnvironmentTls(Map.of("FOREBAY_TOKEN", token), folder, user);
      List<Address> managers = List.of(ring.address());
      TlsSettings first = source.settings(managers);
      assertThat(TlsIdentity.read(first)).isNotNull();
      // The key is there now: neither the secret nor the manager are needed.
      ring.stopManager();
      assertThat(source.settings(managers)).isEqualTo(first);
      EnvironmentTls wrong = new EnvironmentTls(Map.of("FOREBAY_TOKEN", "x"), folder, user);
      assertThatThrownBy(() -> wrong.settings(managers)).hasMessageContaining("copy all of it");
      ring.startManager();
    }
  }

  /** Else a full disk would use up all certificates that a name may have. */
  @Test
  void aCertificateThatCannotBeWrittenIsKeptAndNotAskedForAgain() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 1);
        CertificateAdmin admin = ring.admin()) {
      IdentityFiles files = new IdentityFiles(folder.resolve("node1"));
      enroller(ring).enrol(ring.token(Role.AGENT, "node1", 1), NODE, List.of());
      BigInteger first = files.certificate().getSerialNumber();
      // A folder that is not empty, where the new file is to be made.
      Path block = Files.createDirectories(files.directory().resolve("identity.pem.new/x"));
      TlsFiles tls = TlsFiles.open(files.settings(), MonotonicClock.system());
      try (IdentityKeeper keeper =
          new IdentityKeeper(List.of(ring.address()), files, List.of("10.9.9.9"), tls)) {
        keeper.start();
        EnrolledRing.await(() -> certificatesOf(admin, "node1") == 2);
        Files.delete(block);
        EnrolledRing.await(() -> !files.certificate().getSerialNumber().equals(first));
        assertThat(certificatesOf(admin, "node1")).isEqualTo(2);
      }
    }
  }

  private static long certificatesOf(CertificateAdmin admin, String name) throws Exception {
    return admin.certificates().stream().filter(each -> each.name().equals(name)).count();
  }

  /** The secret must not reach a process with another CA, nor one that is no manager. */
  @Test
  void theSecretIsNotSentToAnotherCa() throws Exception {
    ClusterCa ca =
        ClusterCa.open(folder.resolve("ca"), CertificateMakers.find(), InstantSource.system());
    IdentityFiles files = new IdentityFiles(folder.resolve("impostor"));
    Bytes secret = Bytes.copyOf(new byte[JoinToken.SECRET_BYTES]);
    CertificateName manager = new CertificateName(Role.MANAGER, "m");
    ca.issue(files, new Holder(manager, List.of("127.0.0.1")), ClusterCa.LIFETIME);
    JoinToken other = new JoinToken(JoinToken.sha256(new byte[] {1}), secret);
    assertThat(refusedBy(files, other)).contains("its CA is not the one that the token names");

    JoinToken right = new JoinToken(ca.hash(), secret);
    ca.issue(files, new Holder(manager, List.of("10.9.9.9")), ClusterCa.LIFETIME);
    assertThat(refusedBy(files, right)).contains("is not accepted", "the token was not sent");

    CertificateName server = new CertificateName(Role.SERVER, "m");
    ca.issue(files, new Holder(server, List.of("127.0.0.1")), ClusterCa.LIFETIME);
    assertThat(refusedBy(files, right)).contains("it is no manager");
  }

  /** Why a token is not sent to a listener with a certificate; it gets no message. */
  private String refusedBy(IdentityFiles listening, JoinToken token) throws Exception {
    MonotonicClock clock = MonotonicClock.system();
    TlsFiles tls = TlsFiles.open(listening.settings(), clock);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger heard = new AtomicInteger();
    try (TcpLoop loop = new TcpLoop(clock, tls)) {
      Network.Listener listener =
          loop.listen(
              new Address.Inet("127.0.0.1", 0),
              hello -> {
                heard.incrementAndGet();
                return new Handshake.Welcome(1, 1, 0, 0);
              },
              new Counting(heard));
      Thread serving =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get()) loop.poll(10_000_000);
                  });
      IdentityFiles files = new IdentityFiles(folder.resolve("joiner"));
      Enroller enroller = new Enroller(List.of(listener.address()), files);
      String[] reason = new String[1];
      try {
        assertThatThrownBy(() -> enroller.enrolPatiently(token, NODE, List.of()))
            .satisfies(e -> reason[0] = e.getMessage());
      } finally {
        over.set(true);
        serving.join();
      }
      assertThat(heard).hasValue(0);
      assertThat(files.exist()).isFalse();
      return reason[0];
    }
  }

  private record Counting(AtomicInteger heard) implements Handler {
    @Override
    public void opened(Connection connection) {
      heard.incrementAndGet();
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      heard.incrementAndGet();
    }

    @Override
    public Landing arriving(Connection connection, long request, Message message, int bytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      // Expected.
    }
  }
}
