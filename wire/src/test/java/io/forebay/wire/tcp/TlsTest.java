// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.MonotonicClock;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import io.forebay.wire.NetworkContract;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract over TCP with TLS: EC and RSA keys at the two ends, buffers of both kinds. */
class TlsTest extends NetworkContract {
  @TempDir static Path folder;
  private static TlsSettings listening;
  private static TlsSettings dialling;

  @BeforeAll
  static void makeCertificates() throws IOException {
    TestCertificates ca = TestCertificates.create(folder, "ca");
    TestCertificates.Pair server = ca.issue("server");
    TestCertificates.Pair client = ca.issue("client", "RSA");
    listening = new TlsSettings(server.certificate(), server.key(), ca.ca());
    dialling = new TlsSettings(client.certificate(), client.key(), ca.ca());
  }

  @Override
  protected World newWorld() throws IOException {
    MonotonicClock clock = MonotonicClock.system();
    return new TcpWorld(
        () -> new Address.Inet("127.0.0.1", 0),
        new TcpLoop(clock, TlsFiles.open(dialling, clock)),
        new TcpLoop(clock, TlsFiles.open(listening, clock)));
  }
}
