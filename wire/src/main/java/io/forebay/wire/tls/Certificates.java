// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.Bytes;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.proof.PeerCertificate;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;

/** What certificates say. Stateless; any thread. */
public final class Certificates {
  /** The kinds of alternative names whose values are texts: RFC 5280, 4.2.1.6. */
  private static final int DNS_NAME = 2;

  private static final int URI_NAME = 6;
  private static final int IP_NAME = 7;
  private static final int HEX = 16;

  private Certificates() {}

  static PeerCertificate peerOf(SSLSession session) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      if (!(chain[0] instanceof X509Certificate certificate)) return PeerCertificate.NONE;
      List<String> issuers = new ArrayList<>();
      for (int i = 1; i < chain.length; i++) {
        if (chain[i] instanceof X509Certificate issuer) issuers.add(serial(issuer));
      }
      return new PeerCertificate(
          subject(certificate),
          names(certificate),
          serial(certificate),
          certificate.getNotAfter().toInstant().getEpochSecond(),
          issuers);
    } catch (SSLPeerUnverifiedException e) {
      return PeerCertificate.NONE;
    }
  }

  /** The SHA-256 of the certificate of the listening end, whichever end this is. */
  static Bytes bindingOf(SSLSession session, boolean dialled) {
    try {
      Certificate[] chain =
          dialled ? session.getPeerCertificates() : session.getLocalCertificates();
      if (chain == null || chain.length == 0) return Bytes.EMPTY;
      return JoinToken.sha256(chain[0].getEncoded());
    } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
      return Bytes.EMPTY;
    }
  }

  /**
   * Checks that each certificate of a chain is signed by the one behind it and the last one by the
   * root, that all are valid now, and that those of CAs are.
   *
   * @param chain without the root
   * @throws GeneralSecurityException that says what is wrong
   */
  public static void verify(List<X509Certificate> chain, X509Certificate root)
      throws GeneralSecurityException {
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
    parameters.setRevocationEnabled(false);
    CertPathValidator.getInstance("PKIX")
        .validate(CertificateFactory.getInstance("X.509").generateCertPath(chain), parameters);
  }

  /** Whether it is the certificate of a CA. */
  public static boolean isAuthority(X509Certificate certificate) {
    return certificate.getBasicConstraints() >= 0;
  }

  /** The number that its CA gave it, in hexadecimal digits. */
  public static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(HEX);
  }

  static String subject(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
  }

  /** Its alternative names: DNS names, IP addresses and URIs. */
  public static List<String> names(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    Collection<List<?>> alternatives;
    try {
      alternatives = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return List.of();
    }
    if (alternatives == null) return List.of();
    for (List<?> each : alternatives) {
      boolean text =
          each.get(0) instanceof Integer kind
              && (kind == DNS_NAME || kind == URI_NAME || kind == IP_NAME);
      if (text) names.add(String.valueOf(each.get(1)));
    }
    return names;
  }
}
