// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import java.util.List;

/**
 * What the certificate of a connection's other end says, after this end has verified it.
 *
 * @param subject the certificate's subject, such as {@code CN=node1,O=Site}; empty if there is no
 *     certificate
 * @param names its alternative names: DNS names, IP addresses and URIs
 * @param serial the number that its CA gave it, in hexadecimal digits; empty if there is none
 * @param expirySeconds when it expires, in seconds since 1970
 * @param issuers the numbers of the CAs' certificates that were shown behind it
 */
public record PeerCertificate(
    String subject, List<String> names, String serial, long expirySeconds, List<String> issuers) {
  /** Of connections that prove nothing: plain ones, and those within a process. */
  public static final PeerCertificate NONE = new PeerCertificate("", List.of(), "");

  public PeerCertificate {
    names = List.copyOf(names);
    issuers = List.copyOf(issuers);
  }

  /** One that does not expire. */
  public PeerCertificate(String subject, List<String> names, String serial) {
    this(subject, names, serial, Long.MAX_VALUE, List.of());
  }

  /** Without a serial number. */
  public PeerCertificate(String subject, List<String> names) {
    this(subject, names, "");
  }

  /** Whether the other end has proved anything. */
  public boolean isProven() {
    return !equals(NONE);
  }
}
