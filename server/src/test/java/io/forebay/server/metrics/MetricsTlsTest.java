// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.metrics.Registry;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsIdentity;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A door beyond the loopback: who reads there, and who does not. */
@Timeout(60)
class MetricsTlsTest {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;

  @TempDir static Path made;
  private static TestCertificates ca;
  private static TlsSettings server;
  private static TlsSettings observer;
  private static TlsSettings other;

  private TlsFiles files;
  private MetricsService service;

  @BeforeAll
  static void makeCertificates() throws IOException {
    ca = TestCertificates.create(made, "ca");
    server = certificate("server", "urn:forebay:server:s1");
    observer = certificate("observer", "urn:forebay:user:998");
    other = certificate("other", "urn:forebay:user:999");
  }

  private static TlsSettings certificate(String name, String role) throws IOException {
    TestCertificates.Pair pair =
        ca.issue(name, "EC", "san=uri:" + role + ",ip:127.0.0.1,dns:localhost");
    return new TlsSettings(pair.certificate(), pair.key(), ca.ca());
  }

  @BeforeEach
  void open() throws IOException {
    files = TlsFiles.open(server, MonotonicClock.system());
    MetricsOptions options = new MetricsOptions(new Address.Inet("0.0.0.0", 0), false, Set.of(998));
    service = MetricsService.open("server", options, false, files, new Registry());
  }

  @AfterEach
  void close() {
    service.close();
  }

  private URI uri(String scheme) {
    URI url = URI.create(service.url());
    assertThat(url.getScheme()).isEqualTo("https");
    return URI.create(scheme + "://127.0.0.1:" + url.getPort() + url.getPath());
  }

  /** A caller with a key, or without one. */
  private static HttpClient caller(TlsSettings settings, boolean shows) throws Exception {
    TlsIdentity identity = TlsIdentity.read(settings);
    KeyManager[] keys = shows ? new KeyManager[] {identity.keys()} : new KeyManager[0];
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys, new TrustManager[] {identity.trust()}, null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private int status(HttpClient caller) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri("https")).build();
    return caller.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  @Test
  void anObserverReads() throws Exception {
    try (HttpClient caller = caller(observer, true)) {
      assertThat(status(caller)).isEqualTo(OK);
    }
    try (HttpClient caller = caller(server, true)) {
      assertThat(status(caller)).as("a server").isEqualTo(OK);
    }
  }

  @Test
  void anotherUserDoesNot() throws Exception {
    try (HttpClient caller = caller(other, true)) {
      assertThat(status(caller)).isEqualTo(FORBIDDEN);
    }
  }

  @Test
  void aCallerWithoutProofDoesNot() throws Exception {
    try (HttpClient caller = caller(observer, false)) {
      assertThatThrownBy(() -> status(caller)).isInstanceOf(IOException.class);
    }
    try (HttpClient plain = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(uri("http")).build();
      assertThatThrownBy(() -> plain.send(request, HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aRevokedCertificateIsRefusedOnAConnectionThatIsOpen() throws Exception {
    try (HttpClient caller = caller(observer, true)) {
      assertThat(status(caller)).isEqualTo(OK);
      X509Certificate shown =
          Objects.requireNonNull(TlsIdentity.read(observer).keys()).getCertificateChain("any")[0];
      files.revoked().set(List.of(Long.parseUnsignedLong(Certificates.serial(shown), 16)));
      // The connection is kept: the certificate is asked for each time.
      assertThat(status(caller)).isEqualTo(FORBIDDEN);
    }
  }
}
