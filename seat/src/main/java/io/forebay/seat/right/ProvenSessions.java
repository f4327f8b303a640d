// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.right;

import io.forebay.base.proof.SessionSecret;

/**
 * Whether a client knows the secret of a session (P28). Caches recent ones, so that a series of
 * records costs one digest.
 */
final class ProvenSessions {
  /** A power of two. */
  private static final int REMEMBERED_MAX = 1024;

  /** By the low bits of the secret; 0 names no session, so that no slot is taken for filled. */
  private final long[] secrets = new long[REMEMBERED_MAX];

  private final long[] sessions = new long[REMEMBERED_MAX];

  boolean isSecretOf(long secret, long session) {
    int slot = (int) (secret & (REMEMBERED_MAX - 1));
    if (sessions[slot] == 0 || secrets[slot] != secret) {
      secrets[slot] = secret;
      sessions[slot] = SessionSecret.sessionOf(secret);
    }
    return session != 0 && sessions[slot] == session;
  }
}
