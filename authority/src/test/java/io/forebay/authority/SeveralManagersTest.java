// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.enrol.IdentityKeeper;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Further managers, whose CAs sign when the first manager is lost. */
@Timeout(120)
class SeveralManagersTest {
  private static final CertificateName NODE = new CertificateName(Role.AGENT, "node1");
  private static final Address.Inet LISTEN = new Address.Inet("127.0.0.1", 0);

  @TempDir Path folder;

  private static void join(Path directory, JoinToken token, EnrolledRing ring) throws IOException {
    ManagerAuthority.join(directory, LISTEN, ClusterCa.LIFETIME, token, List.of(ring.address()))
        .close();
  }

  private static IdentityFiles part(Path manager, String name) {
    return new IdentityFiles(manager.resolve("certificates").resolve(name));
  }

  /** What managers agree on is at each of them; here it is copied. */
  private static void copyState(Path from, Path to) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.walk(from)) {
      found = all.sorted().toList();
    }
    for (Path each : found) {
      Path name = from.relativize(each);
      if (name.toString().isEmpty() || name.startsWith("certificates")) continue;
      if (Files.isDirectory(each)) Files.createDirectories(to.resolve(name));
      else Files.copy(each, to.resolve(name));
    }
  }

  /** The CA is in the list, and what it has signed for its machine. */
  private static void assertListed(EnrolledRing ring, Path manager) throws IOException {
    long ca = part(manager, "authority").certificate().getSerialNumber().longValueExact();
    try (CertificateAdmin admin = ring.admin()) {
      assertThat(admin.certificates())
          .filteredOn(each -> each.authority() || each.issuer() == ca)
          .extracting(each -> each.role() + " " + each.authority())
          .containsExactlyInAnyOrder("MANAGER true", "MANAGER false", "ADMIN false");
      // Only an administrator of that machine enters them.
      Enrolment.OwnCertificate other =
          new Enrolment.OwnCertificate(
              5, Role.ADMIN, "operator", JoinToken.sha256(new byte[0]), 1, 2, ca);
      assertThatThrownBy(() -> admin.enter(List.of(other))).hasMessageContaining("own machine");
    }
  }

  /** Waits until a process that is dialled at other names has another certificate for them. */
  private static void renew(EnrolledRing ring, IdentityFiles files, String host) throws Exception {
    X509Certificate before = files.certificate();
    TlsFiles tls = TlsFiles.open(files.settings(), MonotonicClock.system());
    try (IdentityKeeper keeper =
        new IdentityKeeper(List.of(ring.address()), files, List.of(host), tls)) {
      keeper.start();
      EnrolledRing.await(() -> !files.certificate().equals(before));
    }
  }

  @Test
  void whenTheFirstManagerIsLostAnotherOneSigns() throws Exception {
    IdentityFiles agent = new IdentityFiles(folder.resolve("agent"));
    Path second = folder.resolve("second");
    Path third = folder.resolve("third");
    X509Certificate root;
    try (EnrolledRing ring = new EnrolledRing(folder.resolve("ring"), 1)) {
      root = part(ring.manager(), "authority").certificate();
      new Enroller(List.of(ring.address()), agent)
          .enrol(ring.token(Role.AGENT, "", 1), NODE, List.of());
      assertThat(agent.chain()).hasSize(1);
      JoinToken token = ring.token(Role.MANAGER, "", 2);
      join(second, token, ring);
      for (String each : List.of("authority", "manager", "admin")) {
        Certificates.verify(part(second, each).chain(), root);
      }
      assertThat(part(second, "manager").chain()).hasSize(2);
      assertListed(ring, second);
      // It is a member now: the token is not used again, and it keeps its CA.
      X509Certificate ca = part(second, "authority").certificate();
      join(second, token, ring);
      assertThat(part(second, "authority").certificate()).isEqualTo(ca);
      JoinToken other = new JoinToken(JoinToken.sha256(new byte[] {1}), token.secret());
      assertThatThrownBy(() -> join(second, other, ring)).hasMessageContaining("another cluster");
      assertThatThrownBy(() -> join(third, other, ring))
          .hasMessageContaining("its CA is not the one that the token names");
      ring.stopManager();
      copyState(ring.manager(), second);
    }

    try (EnrolledRing ring = new EnrolledRing(folder.resolve("ring"), second)) {
      // What the root has signed is renewed, and what the second CA has signed as well.
      renew(ring, agent, "host-a");
      assertThat(agent.chain()).hasSize(2);
      assertThat(agent.authority()).isEqualTo(root);
      renew(ring, agent, "host-b");
      Certificates.verify(agent.chain(), root);

      JoinToken token = ring.token(Role.MANAGER, "", 2);
      assertThat(token.authority()).isEqualTo(JoinToken.sha256(root.getEncoded()));
      join(third, token, ring);
      assertThat(part(third, "manager").chain()).hasSize(3);
      IdentityFiles user = ring.client(1000);
      assertThat(user.chain()).hasSize(2);

      // With a CA all is revoked that it has signed: here what the administrator shows, too.
      long number = part(second, "authority").certificate().getSerialNumber().longValueExact();
      try (CertificateAdmin admin = ring.admin()) {
        assertThat(admin.revoke(number)).isGreaterThan(4);
      }
      try (CertificateAdmin admin = ring.admin()) {
        assertThatThrownBy(admin::certificates).isInstanceOf(IOException.class);
      }
      assertThatThrownBy(() -> join(folder.resolve("fourth"), token, ring))
          .hasMessageContaining("the CA of this manager is revoked");
    }
  }
}
