// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the certificates of a process are, as PEM files that its operator supplies.
 *
 * @param certificate the certificate of this process, with intermediate ones behind it
 * @param key its private key: PKCS#8, not encrypted
 * @param ca the certificates of the CAs whose certificates are accepted
 * @param peerName the name that the certificates of dialled peers must carry; null for the host
 *     name or address that was dialled
 */
public record TlsSettings(Path certificate, Path key, Path ca, @Nullable String peerName) {
  public TlsSettings(Path certificate, Path key, Path ca) {
    this(certificate, key, ca, null);
  }
}
