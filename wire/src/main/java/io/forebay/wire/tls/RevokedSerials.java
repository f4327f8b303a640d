// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.wire.proof.PeerCertificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The certificates that a process does not accept any more, by their serial numbers. Any thread;
 * connections of revoked peers are closed by their loops within two seconds.
 */
public final class RevokedSerials {
  private volatile Set<String> serials = Set.of();
  private final List<Runnable> followers = new CopyOnWriteArrayList<>();

  /**
   * Calls something at each change, by the thread that makes it. For connections that no loop of
   * ours has.
   */
  public void whenSet(Runnable follower) {
    followers.add(follower);
  }

  /** These are revoked, and no others. */
  public void set(Collection<Long> revoked) {
    serials = revoked.stream().map(Long::toHexString).collect(Collectors.toUnmodifiableSet());
    followers.forEach(Runnable::run);
  }

  public boolean isEmpty() {
    return serials.isEmpty();
  }

  /** Whether the certificate with that number, in hexadecimal digits, is revoked. */
  public boolean contains(String serial) {
    return serials.contains(serial);
  }

  /** Whether a certificate is revoked, or one of the CAs that signed it. */
  public boolean refuses(PeerCertificate certificate) {
    return contains(certificate.serial())
        || certificate.issuers().stream().anyMatch(this::contains);
  }
}
