// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tls.IdentityFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are older than the certificates of their ends. */
@Timeout(90)
class OldConnectionsTest {
  private static final int USER = 1000;

  @TempDir Path folder;

  /** The book of certificates forgets expired ones, so their numbers cannot be revoked. */
  @Test
  void aServerIsOutAlsoIfItsConnectionsAreOlderThanItsCertificate() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 2, "certificate-lifetime", "20s")) {
      JoinToken token = ring.token(Role.SERVER, "", 2);
      ring.start("a", token);
      ring.start("b", token);
      Date first = ring.filesOf("b").certificate().getNotAfter();
      IdentityFiles user = ring.client(USER);
      ForebayOptions options =
          ForebayOptions.defaults()
              .withTls(user.settings())
              .withIdentity(new Identity(USER, List.of()))
              .withTimeout(Duration.ofSeconds(60));
      try (Cluster cluster = Cluster.connect(ring.uri(""), options)) {
        assertThat(cluster.map().seats()).hasSize(2);
      }
      EnrolledRing.await(() -> Instant.now().isAfter(first.toInstant().plusSeconds(1)));
      IdentityFiles later = ring.client(USER);
      try (CertificateAdmin admin = ring.admin();
          Cluster cluster = Cluster.connect(ring.uri(""), options.withTls(later.settings()))) {
        admin.revoke("b");
        EnrolledRing.await(
            () ->
                cluster.map().seats().stream()
                    .anyMatch(seat -> seat.server().equals("b") && seat.away()));
      }
    }
  }
}
