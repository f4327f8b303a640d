// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.authority;

import io.forebay.base.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a process needs to enrol: which CA it is to find, and a secret that the CA knows. Its text
 * is {@code fb1.HASH.SECRET}, both in the URL alphabet of Base64.
 *
 * @param authority the SHA-256 of the CA's certificate
 * @param secret sent only to a manager with a certificate of that CA
 */
public record JoinToken(Bytes authority, Bytes secret) {
  public static final int HASH_BYTES = 32;
  public static final int SECRET_BYTES = 24;

  private static final String KIND = "fb1";
  private static final int PARTS = 3;

  /** Null if the text is no token. */
  public static @Nullable JoinToken parse(String text) {
    String[] parts = text.strip().split("\\.", -1);
    if (parts.length != PARTS || !parts[0].equals(KIND)) return null;
    try {
      Bytes authority = Bytes.copyOf(Base64.getUrlDecoder().decode(parts[1]));
      Bytes secret = Bytes.copyOf(Base64.getUrlDecoder().decode(parts[2]));
      if (authority.length() != HASH_BYTES || secret.length() != SECRET_BYTES) return null;
      return new JoinToken(authority, secret);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  public String text() {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return KIND
        + "."
        + encoder.encodeToString(authority.toArray())
        + "."
        + encoder.encodeToString(secret.toArray());
  }

  /** Of a certificate, or of a secret. */
  public static Bytes sha256(byte[] content) {
    try {
      return Bytes.copyOf(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The secret does not appear in logs. */
  @Override
  public String toString() {
    return "a token";
  }
}
