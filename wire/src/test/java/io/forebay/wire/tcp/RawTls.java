// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.testing.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Engines of peers that do what this product's ends never do. */
final class RawTls {
  private RawTls() {}

  /**
   * An engine.
   *
   * @param own null for an end that shows no certificate; may be one that has expired
   */
  static SSLEngine engine(TestCertificates.@Nullable Pair own, Path ca, boolean dials)
      throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", certificate(ca));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own == null ? null : keys(own), trust.getTrustManagers(), null);
      SSLEngine engine = context.createSSLEngine();
      engine.setUseClientMode(dials);
      if (!dials) engine.setNeedClientAuth(true);
      return engine;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static KeyManager[] keys(TestCertificates.Pair own)
      throws IOException, GeneralSecurityException {
    String text = Files.readString(own.key()).replaceAll("-----[A-Z ]*-----", "");
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(text)));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("own", key, new char[0], new Certificate[] {certificate(own.certificate())});
    KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
