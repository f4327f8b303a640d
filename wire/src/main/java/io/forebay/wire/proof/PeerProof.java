// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import io.forebay.wire.message.Identity;
import org.jspecify.annotations.Nullable;

/**
 * What the other end of a connection has proved.
 *
 * @param certificate its certificate, after this end has verified it
 * @param local the user of this machine that has the other end, as the kernel says; null if it is
 *     on another machine, or unknown
 */
public record PeerProof(PeerCertificate certificate, @Nullable Identity local) {
  /** Of an end that has proved nothing. */
  public static final PeerProof NONE = new PeerProof(PeerCertificate.NONE, null);

  /** Of an end that a user of this machine has. */
  public static PeerProof local(Identity user) {
    return new PeerProof(PeerCertificate.NONE, user);
  }
}
