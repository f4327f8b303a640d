// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.access;

import io.forebay.base.Bytes;
import io.forebay.base.proof.AccessKey;
import io.forebay.base.proof.Capability;
import io.forebay.wire.message.Access;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys with which a seat verifies capabilities, as the manager told them. */
public final class SeatKeys {
  private final Runnable ask;
  private List<AccessKey> keys = List.of();

  /**
   * Without any key.
   *
   * @param ask asks the manager for its keys
   */
  public SeatKeys(Runnable ask) {
    this.ask = ask;
  }

  /** The manager tells its keys. */
  public void told(Access.KeysAre told) {
    keys =
        told.keys().stream()
            .filter(key -> key.bytes().length() == AccessKey.BYTES)
            .map(key -> new AccessKey(key.id(), key.bytes()))
            .toList();
  }

  /** Whether the seat has the key of a capability; if not, it asks the manager. */
  boolean has(Bytes signed) {
    if (key(Capability.keyIdOf(signed)) != null) return true;
    ask.run();
    return false;
  }

  /** The capability if one of the keys signed it, else null. */
  @Nullable Capability verify(Bytes signed) {
    AccessKey key = key(Capability.keyIdOf(signed));
    return key == null ? null : key.verify(signed);
  }

  /** Whether a capability that was verified before has been signed with a key that still counts. */
  boolean isCurrent(int keyId) {
    return key(keyId) != null;
  }

  private @Nullable AccessKey key(int id) {
    for (AccessKey key : keys) {
      if (key.id() == id) return key;
    }
    return null;
  }
}
