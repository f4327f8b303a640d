// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.message.Identity;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The users that the machine knows, with names and groups. It remembers some of them for a while:
 * the machine may ask a directory service. Any thread that may block.
 */
public final class SystemUsers {
  /**
   * A user.
   *
   * @param groups all groups, the primary one first; at most as many as an identity has
   */
  public record User(String name, List<Integer> groups) {
    public User {
      groups = List.copyOf(groups);
    }
  }

  /** Looks a user up. */
  interface Source {
    @Nullable User find(int user);
  }

  static final int REMEMBERED_MAX = 4096;
  static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What a lookup gave. */
  record Remembered(@Nullable User user, long sinceNanos) {}

  private final Source source;
  private final MonotonicClock clock;

  /** The oldest first. */
  private final Map<Integer, Remembered> remembered = new LinkedHashMap<>();

  /** The users of this machine. */
  public SystemUsers(MonotonicClock clock) {
    this(user -> UserCalls.find(user, Identity.GROUPS_MAX), clock);
  }

  SystemUsers(Source source, MonotonicClock clock) {
    this.source = source;
    this.clock = clock;
  }

  /** What the last lookup of a user gave, if that was not long ago; else null. Never blocks. */
  synchronized @Nullable Remembered remembered(int user) {
    Remembered known = remembered.get(user);
    return known != null && clock.nanos() - known.sinceNanos < REMEMBERED_NANOS ? known : null;
  }

  /** A user by number; null if the machine knows none. */
  public @Nullable User find(int user) {
    Remembered known = remembered(user);
    if (known != null) return known.user;
    // Without the lock: it may take long.
    User found = source.find(user);
    synchronized (this) {
      remembered.remove(user);
      remembered.put(user, new Remembered(found, clock.nanos()));
      Iterator<Integer> oldest = remembered.keySet().iterator();
      if (remembered.size() > REMEMBERED_MAX) {
        oldest.next();
        oldest.remove();
      }
    }
    return found;
  }
}
