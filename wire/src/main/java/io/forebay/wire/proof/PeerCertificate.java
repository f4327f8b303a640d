// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import java.util.List;

/**
 * What the certificate of a connection's other end says, after this end has verified it.
 *
 * @param subject the certificate's subject, such as {@code CN=node1,O=Site}; empty if there is no
 *     certificate
 * @param names its alternative names: DNS names, IP addresses and URIs
 */
public record PeerCertificate(String subject, List<String> names) {
  /** Of connections that prove nothing: plain ones, and those within a process. */
  public static final PeerCertificate NONE = new PeerCertificate("", List.of());

  public PeerCertificate {
    names = List.copyOf(names);
  }

  /** Whether the other end has proved anything. */
  public boolean isProven() {
    return !equals(NONE);
  }
}
