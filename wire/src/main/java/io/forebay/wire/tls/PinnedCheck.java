// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.Bytes;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts managers of one CA, which is known by its hash only: the manager sends the CA's
 * certificate behind its own. Immutable; any thread.
 */
final class PinnedCheck extends X509ExtendedTrustManager {
  private final Bytes authority;

  PinnedCheck(Bytes authority) {
    this.authority = authority;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    X509Certificate last = chain[chain.length - 1];
    if (!JoinToken.sha256(last.getEncoded()).equals(authority)) {
      throw refused(
          "its CA is not the one that the token names: the token is of another cluster, or another"
              + " process answers at this address; the token was not sent");
    }
    X509ExtendedTrustManager checks;
    try {
      checks = TlsIdentity.checks(last);
    } catch (GeneralSecurityException | IOException e) {
      throw new CertificateException(e);
    }
    try {
      checks.checkServerTrusted(chain, type, engine);
    } catch (CertificateException e) {
      throw new CertificateRefused(
          "its certificate '%s' is not accepted (%s); the token was not sent"
              .formatted(Certificates.subject(chain[0]), e.getMessage()),
          e);
    }
    CertificateName name = CertificateName.of(Certificates.names(chain[0]));
    if (name == null || name.role() != Role.MANAGER) {
      throw refused("it is no manager; the token was not sent");
    }
  }

  private static CertificateRefused refused(String sentence) {
    return new CertificateRefused(sentence, new CertificateException(sentence));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw neverUsed();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw neverUsed();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw neverUsed();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw neverUsed();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw neverUsed();
  }

  private static CertificateException neverUsed() {
    return new CertificateException("this end only dials, by an engine");
  }
}
