// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import io.forebay.base.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the manager gives to a client that has proved its user: the holder may use an instance as
 * that user. Seats verify it with an {@link AccessKey}, without asking the manager. A bearer has
 * all its rights, so it travels only where others cannot read it.
 *
 * @param keyId the key that signed it
 * @param instance the instance; {@link #CLUSTER} for the cluster as a whole
 * @param epoch the access epoch of the instance: capabilities of earlier ones are revoked
 * @param user the user, a number of the operating system
 * @param groups the groups of that user, the first one for new files
 * @param rights as {@link Rights} has them
 * @param expiresSeconds since 1970
 */
public record Capability(
    int keyId,
    int instance,
    int epoch,
    int user,
    List<Integer> groups,
    int rights,
    long expiresSeconds) {
  /** Names no instance. */
  public static final int CLUSTER = 0;

  public static final int GROUPS_MAX = 1024;

  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = Byte.BYTES + 5 * Integer.BYTES + Long.BYTES + Short.BYTES;

  /** The longest signed capability. */
  public static final int BYTES_MAX =
      FIXED_BYTES + GROUPS_MAX * Integer.BYTES + AccessKey.SIGNATURE_BYTES;

  public Capability {
    groups = List.copyOf(groups);
    if (groups.size() > GROUPS_MAX) {
      throw new IllegalArgumentException("a user in " + groups.size() + " groups");
    }
  }

  public boolean allows(int right) {
    return (rights & right) == right;
  }

  /** The fields, without a signature. */
  byte[] fields() {
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + groups.size() * Integer.BYTES);
    out.put(VERSION).putInt(keyId).putInt(instance).putInt(epoch).putInt(user).putInt(rights);
    out.putLong(expiresSeconds).putShort((short) groups.size());
    for (int group : groups) out.putInt(group);
    return out.array();
  }

  /** The id of the key that a signed capability claims to be signed with; -1 if it is malformed. */
  public static int keyIdOf(Bytes signed) {
    Capability read = read(signed);
    return read == null ? -1 : read.keyId;
  }

  /** The fields of a signed capability, whose signature is not verified; null if malformed. */
  static @Nullable Capability read(Bytes signed) {
    if (signed.length() > BYTES_MAX) return null;
    ByteBuffer in = signed.asBuffer();
    try {
      if (in.get() != VERSION) return null;
      int keyId = in.getInt();
      int instance = in.getInt();
      int epoch = in.getInt();
      int user = in.getInt();
      int rights = in.getInt();
      long expiresSeconds = in.getLong();
      int count = Short.toUnsignedInt(in.getShort());
      boolean whole = in.remaining() == count * Integer.BYTES + AccessKey.SIGNATURE_BYTES;
      if (!whole || count > GROUPS_MAX) return null;
      List<Integer> groups = new ArrayList<>(count);
      for (int i = 0; i < count; i++) groups.add(in.getInt());
      return new Capability(keyId, instance, epoch, user, groups, rights, expiresSeconds);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }
}
