// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Verifies the certificates of peers as the JDK does, and says in a sentence why one is refused.
 * Immutable; any thread.
 */
final class PeerCheck extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager checks;
  private final Path ca;
  private final RevokedSerials revoked;

  PeerCheck(X509ExtendedTrustManager checks, Path ca, RevokedSerials revoked) {
    this.checks = checks;
    this.ca = ca;
    this.revoked = revoked;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    try {
      checks.checkClientTrusted(chain, type, engine);
    } catch (CertificateException e) {
      throw new CertificateRefused(why(chain[0], e), e);
    }
    requireNotRevoked(chain);
  }

  /** A CA that is revoked has signed nothing that counts, whether its number is known or not. */
  private void requireNotRevoked(X509Certificate[] chain) throws CertificateRefused {
    for (X509Certificate each : chain) {
      String number = Certificates.serial(each);
      if (!revoked.contains(number)) continue;
      String sentence = its(chain[0]);
      if (!each.equals(chain[0]))
        sentence += " is of the CA '" + Certificates.subject(each) + "', which";
      sentence += " with number " + number + " is revoked";
      throw new CertificateRefused(sentence, new CertificateException(sentence));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    try {
      checks.checkServerTrusted(chain, type, engine);
    } catch (CertificateException e) {
      boolean wrongName = isTrusted(chain, type);
      throw new CertificateRefused(
          wrongName ? wrongName(chain[0], engine.getPeerHost()) : why(chain[0], e), e);
    }
    requireNotRevoked(chain);
  }

  /** Whether all but its names is accepted. */
  private boolean isTrusted(X509Certificate[] chain, String type) {
    try {
      checks.checkServerTrusted(chain, type);
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }

  private static String wrongName(X509Certificate certificate, String host) {
    List<String> names = Certificates.names(certificate);
    return its(certificate)
        + " is not for '"
        + host
        + "' but for "
        + (names.isEmpty() ? "no host" : String.join(", ", names))
        + "; dial it by such a name, add the name to the certificate, or set tls-peer-name";
  }

  private String why(X509Certificate certificate, CertificateException cause) {
    String its = its(certificate);
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      return its + " expired at " + certificate.getNotAfter().toInstant() + "; replace it there";
    } catch (CertificateNotYetValidException e) {
      return its
          + " is not valid before "
          + certificate.getNotBefore().toInstant()
          + "; compare the clocks of both machines";
    }
    if (String.valueOf(cause.getMessage()).contains("path building failed")) {
      return its + " was not issued by a CA of '" + ca + "'; use certificates of one CA";
    }
    return its + " is not accepted (" + cause.getMessage() + ")";
  }

  private static String its(X509Certificate certificate) {
    return "its certificate '" + Certificates.subject(certificate) + "'";
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return checks.getAcceptedIssuers();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checks.checkClientTrusted(chain, type, socket);
    requireNotRevoked(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checks.checkServerTrusted(chain, type, socket);
    requireNotRevoked(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    checks.checkClientTrusted(chain, type);
    requireNotRevoked(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    checks.checkServerTrusted(chain, type);
    requireNotRevoked(chain);
  }
}
