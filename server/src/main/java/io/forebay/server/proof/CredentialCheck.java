// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.wire.message.Identity;

/** Finds out which user a credential proves. Any thread that may block. */
public interface CredentialCheck {
  /** What a credential is worth. */
  sealed interface Result {
    /** It proves a user, with all groups of that user. */
    record Proved(Identity user) implements Result {}

    /** It proves nothing; the sentence says why. */
    record Refused(String sentence) implements Result {}
  }

  Result check(byte[] credential);
}
