// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import io.forebay.base.Bytes;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A secret of the cluster with which its manager signs capabilities and its seats verify them.
 *
 * @param id counts the keys of the cluster
 * @param bytes of {@link #BYTES}
 */
public record AccessKey(int id, Bytes bytes) {
  public static final int BYTES = 32;

  static final int SIGNATURE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  public AccessKey {
    if (bytes.length() != BYTES) {
      throw new IllegalArgumentException("a key of " + bytes.length() + " bytes");
    }
  }

  /** A new key; the generator's output must not be predictable. */
  public static AccessKey draw(int id, RandomGenerator secrets) {
    byte[] drawn = new byte[BYTES];
    secrets.nextBytes(drawn);
    return new AccessKey(id, Bytes.copyOf(drawn));
  }

  /** The capability with its signature. */
  public Bytes sign(Capability capability) {
    if (capability.keyId() != id) throw new IllegalArgumentException("it names another key");
    byte[] fields = capability.fields();
    byte[] signed = Arrays.copyOf(fields, fields.length + SIGNATURE_BYTES);
    System.arraycopy(signature(fields), 0, signed, fields.length, SIGNATURE_BYTES);
    return Bytes.copyOf(signed);
  }

  /** The capability if this key signed it, else null. */
  public @Nullable Capability verify(Bytes signed) {
    Capability read = Capability.read(signed);
    if (read == null || read.keyId() != id) return null;
    byte[] all = signed.toArray();
    int fields = all.length - SIGNATURE_BYTES;
    byte[] wanted = signature(Arrays.copyOf(all, fields));
    byte[] shown = Arrays.copyOfRange(all, fields, all.length);
    return MessageDigest.isEqual(wanted, shown) ? read : null;
  }

  private byte[] signature(byte[] fields) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(bytes.toArray(), ALGORITHM));
      return mac.doFinal(fields);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** Says nothing of the secret. */
  @Override
  public String toString() {
    return "access key " + id;
  }
}
