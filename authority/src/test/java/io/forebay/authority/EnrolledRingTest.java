// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring whose processes all have their certificates from the cluster's own CA. */
@Timeout(180)
class EnrolledRingTest {
  private static final int BYTES = 300_000;
  private static final String INSTANCE = "default";
  private static final int USER = 1000;

  /** Few, so that the ring does not fill. */
  private static final int FILES = 5;

  @TempDir Path folder;

  private static ForebayOptions options(IdentityFiles client) {
    return ForebayOptions.defaults()
        .withTls(client.settings())
        .withIdentity(new Identity(USER, List.of()))
        .withTimeout(Duration.ofSeconds(60));
  }

  private static byte[] content(int seed) {
    byte[] content = new byte[BYTES];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static void write(Forebay client, int number) throws IOException {
    try (ForebayFile file = client.open("/file-" + number, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(content(number)), 0);
    }
  }

  private static void check(Forebay client, int number) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(BYTES);
    try (ForebayFile file = client.open("/file-" + number, READ)) {
      while (into.hasRemaining() && file.read(into, into.position()) >= 0) {}
    }
    assertThat(into.array()).isEqualTo(content(number));
  }

  private static void startServers(EnrolledRing ring) throws Exception {
    JoinToken token = ring.token(Role.SERVER, "", 2);
    ring.start("a", token);
    ring.start("b", token);
  }

  private static Forebay connect(EnrolledRing ring, IdentityFiles client) throws IOException {
    try (Cluster cluster = Cluster.connect(ring.uri(""), options(client))) {
      if (cluster.instances().isEmpty()) {
        cluster.createInstance(INSTANCE, InstanceOptions.defaults());
      }
    }
    return Forebay.connect(ring.uri(INSTANCE), options(client));
  }

  @Test
  void certificatesAreRenewedWhileClientsWrite() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 2, "certificate-lifetime", "30s")) {
      startServers(ring);
      IdentityFiles user = ring.client(USER);
      List<IdentityFiles> watched =
          List.of(
              ring.filesOf("a"),
              ring.filesOf("b"),
              new IdentityFiles(ring.manager().resolve("certificates/manager")));
      List<BigInteger> first = serials(watched);
      int written = 0;
      try (Forebay client = connect(ring, user)) {
        while (!allDiffer(first, serials(watched))) write(client, written++ % FILES);
        for (int i = 0; i < FILES; i++) write(client, written++ % FILES);
        for (int i = 0; i < FILES; i++) check(client, i);
      }
      assertThat(written).isPositive();
      // The new ones are in use: new connections are made with them.
      try (CertificateAdmin admin = ring.admin()) {
        assertThat(admin.certificates()).filteredOn(each -> each.name().equals("a")).isNotEmpty();
      }
    }
  }

  private static List<BigInteger> serials(List<IdentityFiles> files) throws IOException {
    List<BigInteger> serials = new java.util.ArrayList<>();
    for (IdentityFiles each : files) serials.add(each.certificate().getSerialNumber());
    return serials;
  }

  private static boolean allDiffer(List<BigInteger> some, List<BigInteger> others) {
    for (int i = 0; i < some.size(); i++) {
      if (some.get(i).equals(others.get(i))) return false;
    }
    return true;
  }

  @Test
  void serversRestartWithoutATokenAndRevokedOnesAreOut() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 2)) {
      startServers(ring);
      IdentityFiles user = ring.client(USER);
      IdentityFiles other = ring.client(USER);
      try (Forebay client = connect(ring, user);
          CertificateAdmin admin = ring.admin()) {
        write(client, 1);
        // The manager restarts with its CA, and the servers go on with their certificates.
        ring.stopManager();
        ring.startManager();
        write(client, 2);
        check(client, 1);

        long revoked = other.certificate().getSerialNumber().longValueExact();
        try (Forebay rejected =
            Forebay.connect(
                ring.uri(INSTANCE), options(other).withTimeout(Duration.ofSeconds(5)))) {
          check(rejected, 2);
          assertThat(admin.revoke(revoked)).isEqualTo(1);
          Forebay brief = rejected;
          EnrolledRing.await(() -> fails(() -> check(brief, 1)));
        }
        check(client, 2);

        // A revoked server: the others go on without it.
        assertThat(admin.revoke("b")).isEqualTo(1);
        try (Cluster cluster = Cluster.connect(ring.uri(""), options(user))) {
          EnrolledRing.await(
              () ->
                  cluster.map().seats().stream()
                      .anyMatch(seat -> seat.server().equals("b") && seat.away()));
        }
        assertThatThrownBy(() -> admin.revoke("b")).hasMessageContaining("no valid certificate");
        check(client, 2);
      }
    }
  }

  @Test
  void aRevokedServerEnrolsAgainWithAnotherToken() throws Exception {
    try (EnrolledRing ring = new EnrolledRing(folder, 1);
        CertificateAdmin admin = ring.admin()) {
      JoinToken first = ring.token(Role.SERVER, "", 1);
      ring.start("a", first).close();
      BigInteger before = ring.filesOf("a").certificate().getSerialNumber();
      // Nothing new: the same token, none, and another one although its certificate is valid.
      ring.start("a", first).close();
      ring.start("a", null).close();
      JoinToken second = ring.token(Role.SERVER, "", 1);
      ring.start("a", second).close();
      assertThat(ring.filesOf("a").certificate().getSerialNumber()).isEqualTo(before);

      assertThat(admin.revoke("a")).isEqualTo(1);
      ring.start("a", second).close();
      assertThat(ring.filesOf("a").certificate().getSerialNumber()).isNotEqualTo(before);
    }
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static boolean fails(Attempt attempt) {
    try {
      attempt.run();
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
