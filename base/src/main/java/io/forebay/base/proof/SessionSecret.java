// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.random.RandomGenerator;

/**
 * A secret of the client of a session. The session's number is derived from it, not the other way
 * round: readers of the session's records learn the number, and none of them can write in the
 * session's name. Any thread.
 */
public final class SessionSecret {
  private static final String ALGORITHM = "SHA-256";

  private SessionSecret() {}

  /** A new secret, of a session that is not 0: that names none. */
  public static long draw(RandomGenerator secrets) {
    while (true) {
      long secret = secrets.nextLong();
      if (sessionOf(secret) != 0) return secret;
    }
  }

  /** The number of the session that has this secret. */
  public static long sessionOf(long secret) {
    try {
      byte[] digest =
          MessageDigest.getInstance(ALGORITHM)
              .digest(ByteBuffer.allocate(Long.BYTES).putLong(secret).array());
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
