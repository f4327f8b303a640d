// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.client.enrol.Enroller;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.Tenancy;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.authority.Holder;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.testing.NetworkSpaces;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ring with certificates, and on another host an outsider who has its ports, its map, a forged
 * certificate and one of a user, and tries every message in every role.
 */
@Timeout(180)
class OutsiderRingTest {
  private static final int USER = 65534;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String SECRET = "secret";
  private static final byte[] VALUE = "kept".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  @Test
  void anOutsiderWithAllPortsGetsNothingAndChangesNothing() throws Exception {
    assumeTrue(NetworkSpaces.missing().isEmpty(), NetworkSpaces.missing());
    try (NetworkSpaces network = NetworkSpaces.make(List.of("outside"));
        EmbeddedCluster cluster = start(network.ownAddress())) {
      assertThat(cluster.hasOwnCa()).isTrue();
      IdentityFiles user = enrol(cluster);
      forge();
      KnownRing known = prepare(cluster);
      known.write(folder);

      List<String> said = outsider(network.hosts().get("outside").command());
      assertThat(said.subList(0, said.size() - 1)).isEmpty();
      assertThat(said.getLast()).matches("tried \\d{4,} messages, \\d{4,} connections");

      assertThat(cluster.failure()).isNull();
      assertThat(RingMapCodec.write(map(cluster))).isEqualTo(RingMapCodec.write(known.map()));
      try (Forebay owner = Forebay.connect(cluster.uri(SECRET), cluster.options())) {
        assertThat(owner.pairs().get("key")).isEqualTo(VALUE);
        assertThat(owner.stat("/file").sizeBytes()).isEqualTo(VALUE.length);
      }
      serves(cluster, user);
    }
  }

  private EmbeddedCluster start(String host) throws Exception {
    return EmbeddedCluster.builder()
        .servers(2)
        .copies(2)
        .segmentBytes(1 << 20)
        .budget(24 << 20, 24 << 20)
        .memoryRoot(folder)
        .listen(new Address.Inet(host, 0))
        .start();
  }

  private static RingMap map(EmbeddedCluster cluster) throws IOException {
    try (Cluster operator = Cluster.connect(cluster.uri(""), cluster.options())) {
      return operator.map();
    }
  }

  /** Root's instance, for root alone, with a pair and a file. */
  private static KnownRing prepare(EmbeddedCluster cluster) throws IOException {
    ForebayOptions root = cluster.options().withIdentity(Identity.root());
    try (Cluster operator = Cluster.connect(cluster.uri(""), root)) {
      operator.createInstance(
          SECRET, InstanceOptions.defaults().withCopies(2).withTenancy(Tenancy.OWN));
    }
    long file;
    try (Forebay owner = Forebay.connect(cluster.uri(SECRET), root)) {
      owner.pairs().put("key", VALUE);
      try (ForebayFile written = owner.open("/file", WRITE, CREATE)) {
        written.write(ByteBuffer.wrap(VALUE), 0);
      }
      file = owner.stat("/file").number();
    }
    return new KnownRing(cluster.managerAddress(), map(cluster), SECRET, file);
  }

  /** A certificate of a user, by this ring's CA. */
  private IdentityFiles enrol(EmbeddedCluster cluster) throws IOException {
    IdentityFiles files = new IdentityFiles(folder.resolve("user"));
    CertificateName name = CertificateName.user(USER);
    List<Address> managers = List.of(cluster.managerAddress());
    try (CertificateAdmin admin =
        CertificateAdmin.of(managers, ManagerAuthority.administrator(cluster.managerDirectory()))) {
      new Enroller(managers, files)
          .enrol(admin.createToken(Role.USER, name.name(), HOUR, 1).token(), name, List.of());
    }
    return files;
  }

  /** A certificate of an administrator, by another CA. */
  private void forge() throws Exception {
    ClusterCa ca =
        ClusterCa.open(folder.resolve("other"), new BouncyCastleMaker(), InstantSource.system());
    ca.issue(
        new IdentityFiles(folder.resolve("forged")),
        new Holder(new CertificateName(Role.ADMIN, "operator"), List.of()),
        HOUR);
  }

  private List<String> outsider(List<String> there) throws IOException {
    List<String> command = new ArrayList<>(there);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(OutsiderProcess.class.getName(), folder.toString(), "" + USER));
    Path errors = folder.resolve("outsider.err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    List<String> said = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(process.onExit().join().exitValue()).as(Files.readString(errors)).isZero();
    return said;
  }

  /** The ring serves a user who makes an instance. */
  private static void serves(EmbeddedCluster cluster, IdentityFiles user) throws IOException {
    ForebayOptions options =
        ForebayOptions.defaults()
            .withTls(user.settings())
            .withIdentity(new Identity(USER, List.of(USER)));
    try (Cluster own = Cluster.connect(cluster.uri(""), options)) {
      own.createInstance("own", InstanceOptions.defaults().withCopies(2));
    }
    try (Forebay client = Forebay.connect(cluster.uri("own"), options)) {
      client.pairs().put("key", VALUE);
      assertThat(client.pairs().get("key")).isEqualTo(VALUE);
    }
  }
}
