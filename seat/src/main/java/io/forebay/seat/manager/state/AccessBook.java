// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.proof.AccessKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys that sign capabilities: a part of the agreed state. */
public final class AccessBook {
  /** The newest one signs; what the one before has signed still counts. */
  public static final int KEYS_MAX = 2;

  /**
   * A key.
   *
   * @param id counts the keys
   * @param madeSeconds since 1970, by the clock of the manager that made it
   */
  public record Key(int id, Bytes bytes, long madeSeconds) {
    public AccessKey key() {
      return new AccessKey(id, bytes);
    }
  }

  private final List<Key> keys = new ArrayList<>();

  /** The keys that count, the newest last. */
  public List<Key> keys() {
    return List.copyOf(keys);
  }

  /** The key that signs; null before the first one. */
  public @Nullable Key newest() {
    return keys.isEmpty() ? null : keys.get(keys.size() - 1);
  }

  /** The id of the next key. */
  public int nextId() {
    Key newest = newest();
    return newest == null ? 1 : newest.id() + 1;
  }

  /** Has no effect if another key with that id was made before. */
  Result apply(Command.AddAccessKey add) {
    boolean next = add.key().id() == nextId() && add.key().bytes().length() == AccessKey.BYTES;
    if (next) keys.add(add.key());
    if (keys.size() > KEYS_MAX) keys.remove(0);
    return Result.Done.QUIETLY;
  }

  void restore(List<Key> written) {
    keys.clear();
    keys.addAll(written);
  }
}
