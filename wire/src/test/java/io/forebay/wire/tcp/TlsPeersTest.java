// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.MonotonicClock;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Recorder;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which certificates let two ends meet, and what they are told if not. */
class TlsPeersTest {
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 7, "here", 11);
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 0, 0);
  private static final Address ANYWHERE = new Address.Inet("127.0.0.1", 0);

  @TempDir static Path folder;
  @TempDir static Path otherFolder;
  private static TestCertificates ca;
  private static TestCertificates other;
  private static TlsSettings good;

  private final Recorder client = new Recorder();
  private final Recorder server = new Recorder();
  private final List<TcpLoop> loops = new ArrayList<>();

  @BeforeAll
  static void makeCertificates() throws IOException {
    ca = TestCertificates.create(folder, "ca");
    other = TestCertificates.create(otherFolder, "other-ca");
    good = settings(ca.issue("node"), ca);
  }

  private static TlsSettings settings(TestCertificates.Pair pair, TestCertificates trusted) {
    return new TlsSettings(pair.certificate(), pair.key(), trusted.ca());
  }

  @AfterEach
  void end() {
    for (TcpLoop loop : loops) loop.close();
  }

  private TcpLoop loop(@Nullable TlsSettings settings) throws IOException {
    MonotonicClock clock = MonotonicClock.system();
    TcpLoop loop =
        settings == null ? new TcpLoop(clock) : new TcpLoop(clock, TlsFiles.open(settings, clock));
    loops.add(loop);
    return loop;
  }

  private void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      for (TcpLoop loop : loops) loop.poll(1_000_000);
      if (System.nanoTime() - start > 60_000_000_000L) {
        throw new AssertionError(client.closed + " and " + server.closed);
      }
    }
  }

  /** Dials, and returns why that fails. */
  private String refusal(@Nullable TlsSettings dialling, @Nullable TlsSettings listening)
      throws IOException {
    return refusal(dialling, listening, "127.0.0.1");
  }

  private String refusal(
      @Nullable TlsSettings dialling, @Nullable TlsSettings listening, String host)
      throws IOException {
    Address.Inet at =
        (Address.Inet) loop(listening).listen(ANYWHERE, hello -> WELCOME, server).address();
    loop(dialling).connect(new Address.Inet(host, at.port()), HELLO, client);
    await(() -> !client.closed.isEmpty());
    assertThat(client.opened).isEmpty();
    assertThat(server.opened).isEmpty();
    assertThat(client.unreachable).isEqualTo(1);
    return client.closed.get(0);
  }

  @Test
  void bothEndsKnowTheProvenNames() throws IOException {
    Address at = loop(good).listen(ANYWHERE, hello -> WELCOME, server).address();
    TlsSettings user = settings(ca.issue("alice", "EC", "san=uri:forebay:user/alice"), ca);
    Connection dialled = loop(user).connect(at, HELLO, client);
    assertThat(dialled.peer().certificate()).isEqualTo(PeerCertificate.NONE);
    await(() -> !client.opened.isEmpty() && !server.opened.isEmpty());
    assertThat(dialled.peer().certificate().subject()).isEqualTo("CN=node");
    assertThat(dialled.peer().certificate().names()).contains("localhost", "127.0.0.1");
    PeerCertificate seen = server.connection().peer().certificate();
    assertThat(seen.subject()).isEqualTo("CN=alice");
    assertThat(seen.names()).containsExactly("forebay:user/alice");
    assertThat(seen.isProven()).isTrue();
  }

  @Test
  void aClientMayVerifyWithoutACertificate() throws IOException {
    Address at = loop(good).listen(ANYWHERE, hello -> WELCOME, server).address();
    Connection dialled = loop(TlsSettings.verifying(ca.ca(), null)).connect(at, HELLO, client);
    await(() -> !client.opened.isEmpty() && !server.opened.isEmpty());
    assertThat(dialled.peer().certificate().subject()).isEqualTo("CN=node");
    assertThat(server.connection().peer().certificate()).isEqualTo(PeerCertificate.NONE);
  }

  @Test
  void aClientWithoutACertificateVerifiesTheListener() throws IOException {
    TlsSettings verifying = TlsSettings.verifying(other.ca(), null);
    assertThat(refusal(verifying, good)).contains("CN=node", "was not issued by a CA of");
  }

  /** A statement that names it is worth nothing to a listener with another certificate. */
  @Test
  void bothEndsHaveTheBindingOfTheListenersCertificate() throws IOException {
    Address at = loop(good).listen(ANYWHERE, hello -> WELCOME, server).address();
    TlsSettings verifying = TlsSettings.verifying(ca.ca(), null);
    Connection dialled = loop(verifying).connect(at, HELLO, client);
    assertThat(dialled.channelBinding().length()).isZero();
    await(() -> !client.opened.isEmpty() && !server.opened.isEmpty());
    assertThat(dialled.channelBinding().length()).isEqualTo(32);
    assertThat(server.connection().channelBinding()).isEqualTo(dialled.channelBinding());

    Recorder second = new Recorder();
    TlsSettings another = settings(ca.issue("another"), ca);
    Address there = loop(another).listen(ANYWHERE, hello -> WELCOME, second).address();
    Connection elsewhere = loop(verifying).connect(there, HELLO, client);
    await(() -> !second.opened.isEmpty() && elsewhere.isOpen());
    assertThat(elsewhere.channelBinding()).isNotEqualTo(dialled.channelBinding());
  }

  @Test
  void plainConnectionsProveNothing() throws IOException {
    Address at = loop(null).listen(ANYWHERE, hello -> WELCOME, server).address();
    Connection dialled = loop(null).connect(at, HELLO, client);
    await(() -> !client.opened.isEmpty());
    assertThat(dialled.peer().certificate().isProven()).isFalse();
    assertThat(dialled.channelBinding().length()).isZero();
  }

  @Test
  void unixSocketsArePlain() throws IOException {
    TcpLoop both = loop(good);
    Address at = new Address.Unix(folder.resolve("s").toString());
    both.listen(at, hello -> WELCOME, server);
    Connection dialled = both.connect(at, HELLO, client);
    await(dialled::isOpen);
    assertThat(dialled.peer().certificate().isProven()).isFalse();
  }

  @Test
  void aPlainClientIsToldToUseTls() throws IOException {
    assertThat(refusal(null, good)).contains("takes TLS only", "FOREBAY_TLS_CA", "tls-ca");
  }

  @Test
  void aPlainListenerIsNamed() throws IOException {
    assertThat(refusal(good, null)).contains("127.0.0.1", "does not use TLS", "unset");
  }

  @Test
  void aListenerOfAnotherCaIsNotBelieved() throws IOException {
    TlsSettings strange = settings(other.issue("strange"), ca);
    assertThat(refusal(good, strange))
        .contains("CN=strange", "was not issued by a CA of '" + ca.ca() + "'");
  }

  @Test
  void aClientOfAnotherCaIsNotLetIn() throws IOException {
    TlsSettings strange = settings(other.issue("intruder"), ca);
    assertThat(refusal(strange, good)).contains("did not accept the certificate of this end");
  }

  @Test
  void aCertificateForAnotherHostIsNamed() throws IOException {
    TlsSettings elsewhere = settings(ca.issue("elsewhere", "EC", "san=dns:node9"), ca);
    assertThat(refusal(good, elsewhere))
        .contains("is not for '127.0.0.1' but for node9", "tls-peer-name");
  }

  @Test
  void anExpectedNameTakesThePlaceOfTheHost() throws IOException {
    TestCertificates.Pair pair = ca.issue("named", "EC", "san=dns:ring.site");
    TlsSettings named = new TlsSettings(pair.certificate(), pair.key(), ca.ca(), "ring.site");
    Address at = loop(named).listen(ANYWHERE, hello -> WELCOME, server).address();
    Connection dialled = loop(named).connect(at, HELLO, client);
    await(dialled::isOpen);
    TlsSettings wrong = new TlsSettings(pair.certificate(), pair.key(), ca.ca(), "ring.other");
    Recorder refused = new Recorder();
    loop(wrong).connect(at, HELLO, refused);
    await(() -> !refused.closed.isEmpty());
    assertThat(refused.closed.get(0)).contains("is not for 'ring.other' but for ring.site");
  }

  @Test
  void hugeCertificatesAreRefused() throws IOException {
    String names =
        IntStream.range(0, 4000).mapToObj(i -> "dns:node" + i).collect(Collectors.joining(","));
    TlsSettings huge = settings(ca.issue("huge", "EC", "san=" + names), ca);
    Address at = loop(good).listen(ANYWHERE, hello -> WELCOME, server).address();
    loop(huge).connect(at, HELLO, client);
    await(() -> !client.closed.isEmpty());
    assertThat(server.opened).isEmpty();
    // Others are served.
    Recorder next = new Recorder();
    loop(good).connect(at, HELLO, next);
    await(() -> !next.opened.isEmpty());
  }
}
