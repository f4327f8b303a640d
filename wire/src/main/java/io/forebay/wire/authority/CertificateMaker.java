// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.authority;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * Makes certificates. The JDK cannot, so an implementation is loaded as a service, with its
 * library, by the process that has the CA. Any thread.
 */
public interface CertificateMaker {
  /**
   * The certificates of one chain at most: that of a process, those of CAs, that of the root. The
   * JDK takes no longer ones from ends that dial.
   */
  int CHAIN_CERTIFICATES_MAX = 8;

  /** The CAs that may stand in a chain between the root and a process. */
  int INTERMEDIATES_MAX = CHAIN_CERTIFICATES_MAX - 2;

  /** A CA that signs. */
  record Authority(X509Certificate certificate, PrivateKey key) {}

  /**
   * What a certificate says of its holder.
   *
   * @param hosts the DNS names and IP addresses at which others dial the holder
   */
  record Request(PublicKey key, CertificateName name, List<String> hosts) {
    public Request {
      hosts = List.copyOf(hosts);
    }
  }

  /** The number of a certificate, above 0, and when it is valid. */
  record Validity(long serial, Instant from, Instant until) {}

  /**
   * The certificate of a root, signed by its own key. It allows {@link #INTERMEDIATES_MAX} further
   * CAs below it.
   */
  X509Certificate makeAuthority(KeyPair key, String name, Validity validity)
      throws GeneralSecurityException;

  /**
   * The certificate of a further CA. It allows one CA less below it than its issuer.
   *
   * @throws GeneralSecurityException if the issuer allows none
   */
  X509Certificate signAuthority(Authority issuer, PublicKey key, String name, Validity validity)
      throws GeneralSecurityException;

  /** A certificate for a process, for both ends of connections. */
  X509Certificate sign(Authority authority, Request request, Validity validity)
      throws GeneralSecurityException;
}
