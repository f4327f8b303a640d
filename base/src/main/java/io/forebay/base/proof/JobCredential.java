// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import io.forebay.base.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * By which the programs of a job reach its instance from machines that the job does not run on. The
 * client that begins the job draws it; the manager keeps only its hash.
 *
 * @param token of the job
 * @param secret of {@link #BYTES}
 */
public record JobCredential(String token, Bytes secret) {
  public static final int BYTES = 32;

  private static final String PREFIX = "fbj1.";
  private static final String HASH = "SHA-256";

  public JobCredential {
    if (token.isEmpty() || secret.length() != BYTES) {
      throw new IllegalArgumentException("a secret of " + secret.length() + " bytes");
    }
  }

  /** A new one; the generator's output must not be predictable. */
  public static JobCredential draw(String token, RandomGenerator secrets) {
    byte[] drawn = new byte[BYTES];
    secrets.nextBytes(drawn);
    return new JobCredential(token, Bytes.copyOf(drawn));
  }

  /** What {@link #text} has made, or null. */
  public static @Nullable JobCredential parse(String text) {
    // Tokens have dots, secrets have none.
    int dot = text.lastIndexOf('.');
    if (!text.startsWith(PREFIX) || dot <= PREFIX.length()) return null;
    try {
      Bytes secret = Bytes.copyOf(Base64.getUrlDecoder().decode(text.substring(dot + 1)));
      boolean whole = secret.length() == BYTES;
      return whole ? new JobCredential(text.substring(PREFIX.length(), dot), secret) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** For the environment of programs: all of it, the secret included. */
  public String text() {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return PREFIX + token + "." + encoder.encodeToString(secret.toArray());
  }

  /** What the manager keeps. */
  public Bytes hash() {
    return hash(secret);
  }

  /** Whether a secret has that hash. */
  public static boolean isSecret(Bytes secret, Bytes hash) {
    return secret.length() == BYTES
        && MessageDigest.isEqual(hash(secret).toArray(), hash.toArray());
  }

  private static Bytes hash(Bytes secret) {
    try {
      return Bytes.copyOf(MessageDigest.getInstance(HASH).digest(secret.toArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + HASH, e);
    }
  }

  /** Says nothing of the secret. */
  @Override
  public String toString() {
    return "the credential of job " + token;
  }
}
