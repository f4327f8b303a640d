// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.tls;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.server.EmbeddedCluster;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole ring over TLS: manager, servers and clients, with certificates of a site. */
class TlsRingTest {
  private static final int MIB = 1024 * 1024;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  @TempDir static Path made;
  private static TestCertificates ca;
  private static TestCertificates.Pair first;
  private static TestCertificates.Pair second;
  private static TlsSettings user;

  @TempDir Path folder;

  @BeforeAll
  static void makeCertificates() throws IOException {
    ca = TestCertificates.create(made, "ca");
    first = ca.issue("first");
    second = ca.issue("second");
    TestCertificates.Pair alice = ca.issue("alice", "EC");
    user = new TlsSettings(alice.certificate(), alice.key(), ca.ca());
  }

  private TlsSettings installed(TestCertificates.Pair pair) throws IOException {
    TlsSettings at = new TlsSettings(folder.resolve("c.pem"), folder.resolve("k.pem"), ca.ca());
    install(pair, at);
    return at;
  }

  /** As an operator does: by renaming, so that no half file is read. */
  private void install(TestCertificates.Pair pair, TlsSettings at) throws IOException {
    Path copy = folder.resolve("new.pem");
    Files.copy(pair.key(), copy, StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(copy, at.key(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(pair.certificate(), copy);
    Files.move(copy, at.certificate(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Without Unix sockets, so that all bytes pass through TLS. */
  private static EmbeddedCluster start(TlsSettings settings) throws Exception {
    return EmbeddedCluster.builder().tls(settings).unixSockets(false).start();
  }

  private static ForebayOptions options() {
    return ForebayOptions.defaults().withTls(user);
  }

  private static ByteBuffer random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return ByteBuffer.wrap(content);
  }

  private static void write(Forebay client, String path, ByteBuffer content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(content.duplicate(), 0);
    }
  }

  private static ByteBuffer read(Forebay client, String path, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    try (ForebayFile file = client.open(path, READ)) {
      while (into.hasRemaining() && file.read(into, into.position()) >= 0) {}
    }
    return into.flip();
  }

  @Test
  void aRingWritesReadsAndTakesOver() throws Exception {
    ByteBuffer content = random(9 * MIB + 17);
    try (EmbeddedCluster cluster = start(installed(first));
        Forebay client = Forebay.connect(cluster.uri(), options())) {
      write(client, "/file", content);
      assertThat(read(client, "/file", content.remaining())).isEqualTo(content);
      cluster.stop(0);
      assertThat(read(client, "/file", content.remaining())).isEqualTo(content);
      write(client, "/later", content);
      cluster.start(0);
      assertThat(read(client, "/later", content.remaining())).isEqualTo(content);
    }
  }

  @Test
  void certificatesAreReplacedWhileItRuns() throws Exception {
    TlsSettings settings = installed(first);
    ByteBuffer content = random(MIB);
    try (EmbeddedCluster cluster = start(settings);
        Forebay client = Forebay.connect(cluster.uri(), options())) {
      write(client, "/before", content);
      assertThat(subjectAt(cluster.managerAddress())).isEqualTo("CN=first");
      install(second, settings);
      long start = System.nanoTime();
      for (Address each : new Address[] {cluster.managerAddress(), cluster.addresses(0).get(0)}) {
        while (!subjectAt(each).equals("CN=second")) {
          assertThat(System.nanoTime() - start).isLessThan(PATIENCE_NANOS);
        }
      }
      // The connections of before are as they were, and new ones are made.
      assertThat(read(client, "/before", MIB)).isEqualTo(content);
      cluster.stop(1);
      cluster.start(1);
      write(client, "/after", content);
      try (Forebay other = Forebay.connect(cluster.uri(), options())) {
        assertThat(read(other, "/after", MIB)).isEqualTo(content);
      }
    }
  }

  @Test
  void clientsThatProveNothingAreToldWhatIsMissing() throws Exception {
    TestCertificates other = TestCertificates.create(folder, "other-ca");
    TestCertificates.Pair intruder = other.issue("intruder", "EC");
    TlsSettings foreign = new TlsSettings(intruder.certificate(), intruder.key(), ca.ca());
    ForebayOptions soon = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(20));
    try (EmbeddedCluster cluster = start(installed(first))) {
      assertThatThrownBy(() -> Cluster.connect(cluster.uri(""), soon.withTls(null)))
          .hasMessageContaining("takes TLS only");
      assertThatThrownBy(() -> Cluster.connect(cluster.uri(""), soon.withTls(foreign)))
          .hasMessageContaining("did not accept the certificate of this end");
    }
    try (EmbeddedCluster plain = EmbeddedCluster.builder().servers(1).copies(1).start()) {
      assertThatThrownBy(() -> Cluster.connect(plain.uri(""), soon.withTls(user)))
          .hasMessageContaining("does not use TLS");
    }
  }

  /** Whom the process at an address proves to be. */
  private static String subjectAt(Address at) throws IOException {
    MonotonicClock clock = MonotonicClock.system();
    try (TcpLoop loop = new TcpLoop(clock, TlsFiles.open(user, clock))) {
      Opened opened = new Opened();
      Handshake.Hello hello =
          Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, "here", 1);
      loop.connect(at, hello, opened);
      long start = System.nanoTime();
      while (opened.subject.isEmpty()) {
        loop.poll(TimeUnit.MILLISECONDS.toNanos(10));
        assertThat(System.nanoTime() - start).isLessThan(PATIENCE_NANOS);
      }
      return opened.subject;
    }
  }

  private static final class Opened implements Handler {
    private String subject = "";

    @Override
    public void opened(Connection connection) {
      subject = connection.peer().certificate().subject();
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      // It asks nothing.
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      if (subject.isEmpty()) subject = reason;
    }
  }
}
