// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the certificates of a process are, as PEM files that its operator supplies.
 *
 * @param own what it shows of itself; null for a client that shows no certificate, and proves its
 *     user by other means
 * @param ca the certificates of the CAs whose certificates are accepted
 * @param peerName the name that the certificates of dialled peers must carry; null for the host
 *     name or address that was dialled
 */
public record TlsSettings(@Nullable Own own, Path ca, @Nullable String peerName) {
  /**
   * What a process shows of itself.
   *
   * @param certificate its certificate, with intermediate ones behind it
   * @param key its private key: PKCS#8, not encrypted
   */
  public record Own(Path certificate, Path key) {}

  public TlsSettings(Path certificate, Path key, Path ca) {
    this(certificate, key, ca, null);
  }

  public TlsSettings(Path certificate, Path key, Path ca, @Nullable String peerName) {
    this(new Own(certificate, key), ca, peerName);
  }

  /** The certificate of a process that shows one. */
  public Path certificate() {
    return required().certificate;
  }

  /** Its key. */
  public Path key() {
    return required().key;
  }

  private Own required() {
    if (own == null) throw new IllegalStateException("it shows no certificate");
    return own;
  }

  /** Of a client that verifies its peers, and shows no certificate. */
  public static TlsSettings verifying(Path ca, @Nullable String peerName) {
    return new TlsSettings(null, ca, peerName);
  }
}
