// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import io.forebay.base.Bytes;
import io.forebay.base.FileId;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a tree, which only seats know. The home of the tree gives a session that may read a
 * file the file's proof, and every seat with the key verifies it. A proof has 64 bits: an attacker
 * can only guess it by asking a seat, which takes too long for 64 bits. One thread.
 */
public final class ContentKey {
  public static final int BYTES = 32;

  /** What no file has for its proof. */
  public static final long NO_PROOF = 0;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int FILE_BYTES = Integer.BYTES + Long.BYTES;

  private final Bytes bytes;
  private final Mac mac;

  private ContentKey(Bytes bytes) {
    this.bytes = bytes;
    try {
      this.mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(bytes.toArray(), ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** A new key; the generator's output must not be predictable. */
  public static ContentKey draw(RandomGenerator secrets) {
    byte[] drawn = new byte[BYTES];
    secrets.nextBytes(drawn);
    return new ContentKey(Bytes.copyOf(drawn));
  }

  /** Whether a key can consist of these bytes. */
  public static boolean isPossible(Bytes bytes) {
    return bytes.length() == BYTES;
  }

  /** The key that consists of these bytes. */
  public static ContentKey of(Bytes bytes) {
    if (!isPossible(bytes)) throw new IllegalArgumentException("a key of " + bytes);
    return new ContentKey(bytes);
  }

  public Bytes bytes() {
    return bytes;
  }

  /** What shows that the home allowed to read the file. */
  public long proofOf(FileId file) {
    ByteBuffer named = ByteBuffer.allocate(FILE_BYTES);
    named.putInt(file.instance()).putLong(file.number());
    long proof = ByteBuffer.wrap(mac.doFinal(named.array())).getLong();
    return proof == NO_PROOF ? ~NO_PROOF : proof;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContentKey key && bytes.equals(key.bytes);
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  /** Says nothing of the secret. */
  @Override
  public String toString() {
    return "a key";
  }
}
