// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.base.SeatId;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.ring.SeatEntry;
import io.forebay.server.ServerProcess;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a revoked certificate can still do: nothing, at any other process. */
@Timeout(180)
class RevocationTest {
  @TempDir Path folder;

  /** A seat's connection to another seat of the same machine, through its Unix socket. */
  private static final class LocalSeat implements Handler, AutoCloseable {
    private final TcpLoop loop;
    private final Connection connection;
    private @Nullable Message answer;
    private @Nullable String closed;
    private boolean opened;

    LocalSeat(Address to, SeatId seat) throws IOException {
      loop = new TcpLoop(MonotonicClock.system());
      connection =
          loop.connect(
              to,
              Handshake.Hello.of(
                  Handshake.Role.SEAT, Handshake.Lane.CONTROL, 0, "here", seat.number()),
              this);
    }

    /** Whether it is taken for a seat. */
    boolean isAnswered() {
      while (!opened && closed == null) loop.poll(1_000_000);
      answer = null;
      if (closed == null) connection.send(1, new Loads.AskLoad());
      while (answer == null && closed == null) loop.poll(1_000_000);
      return answer instanceof Loads.LoadIs;
    }

    @Override
    public void opened(Connection made) {
      opened = true;
    }

    @Override
    public void received(Connection from, long request, Message message) {
      if (request == 1) answer = message;
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection ended, String reason) {
      closed = reason;
    }

    @Override
    public void close() {
      loop.close();
    }
  }

  private static Address unixSocket(ServerProcess server) {
    return server.addresses().stream()
        .filter(address -> address instanceof Address.Unix)
        .findAny()
        .orElseThrow();
  }

  private static SeatEntry seatOf(Cluster cluster, String server) throws IOException {
    return cluster.map().seats().stream()
        .filter(seat -> seat.server().equals(server))
        .findAny()
        .orElseThrow();
  }

  private static Cluster connect(EnrolledRing ring, TlsSettings tls, String node)
      throws IOException {
    return Cluster.connect(
        ring.uri(""),
        ForebayOptions.defaults().withTls(tls).withNode(node).withTimeout(Duration.ofSeconds(10)));
  }

  private static boolean isLeft(Cluster cluster, SeatId seat) {
    try {
      cluster.seatStatus(seat);
      return false;
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).contains("revoked");
    }
  }

  @Test
  void aRevokedServerIsOutForServersAndClientsOnUnixSocketsToo() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 2)) {
      JoinToken token = ring.token(Role.SERVER, "", 2);
      ServerProcess a = ring.start("a", token, true);
      ring.start("b", token, true);
      TlsSettings root = ManagerAuthority.administrator(ring.manager());
      // Both are root's: one uses the Unix sockets of this machine, the other TLS.
      try (CertificateAdmin admin = ring.admin();
          Cluster local = connect(ring, root, ForebayOptions.defaults().node());
          Cluster remote = connect(ring, root, "elsewhere")) {
        SeatEntry revoked = seatOf(local, "b");
        SeatEntry other = seatOf(local, "a");
        assertThat(revoked.addresses().toString()).contains("unix:");
        for (Cluster each : List.of(local, remote)) each.seatStatus(revoked.id());
        try (LocalSeat before = new LocalSeat(unixSocket(a), revoked.id())) {
          assertThat(before.isAnswered()).isTrue();

          assertThat(admin.revoke("b")).isEqualTo(1);
          EnrolledRing.await(() -> !before.isAnswered());
        }
        for (Cluster each : List.of(local, remote)) {
          EnrolledRing.await(() -> isLeft(each, revoked.id()));
          each.seatStatus(other.id());
        }
        try (LocalSeat after = new LocalSeat(unixSocket(a), revoked.id());
            LocalSeat innocent = new LocalSeat(unixSocket(a), other.id())) {
          assertThat(after.isAnswered()).isFalse();
          assertThat(innocent.isAnswered()).isTrue();
        }
        // The ring goes on without it, whatever its neighbours see of it.
        EnrolledRing.await(() -> seatOf(local, "b").away());
      }
    }
  }

  private static List<String> listed(CertificateAdmin admin) throws IOException {
    return admin.certificates().stream()
        .map(each -> each.role() + (each.revoked() ? " revoked" : ""))
        .sorted()
        .toList();
  }

  @Test
  void theAdministratorsAndTheManagersCertificatesAreListedRevokedAndReplaced() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 1)) {
      ring.start("a", ring.token(Role.SERVER, "", 1));
      Path admin = ring.manager().resolve("certificates/admin");
      Path copy = Files.createDirectory(folder.resolve("copy"));
      for (String file : List.of("identity.pem", "ca.pem")) {
        Files.copy(
            admin.resolve(file),
            copy.resolve(file),
            java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
      }
      try (CertificateAdmin first = ring.admin()) {
        assertThat(listed(first)).containsExactly("ADMIN", "MANAGER", "SERVER");
        // The certificates stay the same when the manager starts again.
        ring.stopManager();
        ring.startManager();
        assertThat(listed(first)).containsExactly("ADMIN", "MANAGER", "SERVER");
        assertThat(first.revoke("operator")).isEqualTo(1);
      }
      TlsSettings stolen = new IdentityFiles(copy).settings();
      try (CertificateAdmin thief = CertificateAdmin.of(List.of(ring.address()), stolen)) {
        assertThatThrownBy(thief::certificates).hasMessageContaining("did not accept");
      }
      EnrolledRing.await(() -> isAdmitted(ring));
      try (CertificateAdmin second = ring.admin();
          Cluster cluster =
              connect(ring, ManagerAuthority.administrator(ring.manager()), "elsewhere")) {
        assertThat(listed(second)).containsExactly("ADMIN", "ADMIN revoked", "MANAGER", "SERVER");

        Enrolment.Certificate manager =
            second.certificates().stream()
                .filter(each -> each.role() == Role.MANAGER)
                .findAny()
                .orElseThrow();
        assertThat(second.revoke(manager.serial())).isEqualTo(1);
        EnrolledRing.await(
            () ->
                listed(second)
                    .equals(
                        List.of("ADMIN", "ADMIN revoked", "MANAGER", "MANAGER revoked", "SERVER")));
        // Servers and clients have made new connections to it.
        cluster.managerStatus();
        EnrolledRing.await(() -> hasPlace(cluster, "a"));
      }
      try (Cluster fresh =
          connect(ring, ManagerAuthority.administrator(ring.manager()), "elsewhere")) {
        EnrolledRing.await(
            () -> fresh.managerStatus().seats().get(0).silentNanos() < 1_000_000_000L);
        assertThat(seatOf(fresh, "a").away()).isFalse();
      }
    }
  }

  /** A server has its place a moment after the manager has given it: it may have to dial again. */
  private static boolean hasPlace(Cluster cluster, String server) {
    try {
      return cluster.seatStatus(seatOf(cluster, server).id()).hasPlace();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static boolean isAdmitted(EnrolledRing ring) {
    try (CertificateAdmin admin = ring.admin()) {
      return !admin.certificates().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }
}
