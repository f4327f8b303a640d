// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.set.LongSet;
import io.forebay.namespace.tree.node.NameLimits;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;
import java.util.Collection;
import java.util.Collections;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a tree. The ids of ended ones are kept for as long as the tree lives, 16 bytes
 * each: a late duplicate of a request to begin a session must not revive it, as its unpublished
 * records may be gone.
 */
public final class Sessions {
  private final TreeMap<Long, Session> live = new TreeMap<>();
  private final LongSet ended = new LongSet();

  public @Nullable Session get(long id) {
    return live.get(id);
  }

  public Session require(long id) throws Refused {
    Session session = live.get(id);
    if (session == null) throw over(id);
    return session;
  }

  public static Refused over(long id) {
    return new Refused(
        ErrorCode.SESSION_ENDED, "session " + Long.toHexString(id) + " has ended or never began");
  }

  public boolean hasEnded(long id) {
    return ended.contains(id);
  }

  /** Begins a session, or finds it begun. */
  public Session begin(long id, String node, long expiryNanos) throws Refused {
    if (id == 0) throw new Refused(ErrorCode.INVALID, "0 names no session");
    if (expiryNanos < 1) throw new Refused(ErrorCode.INVALID, "expires in " + expiryNanos);
    if (hasEnded(id)) throw over(id);
    Session known = live.get(id);
    if (known != null) return known;
    if (live.size() >= NameLimits.SESSIONS_MAX) {
      throw new Refused(ErrorCode.BUSY, live.size() + " sessions live in this tree, its limit");
    }
    return restore(id, node, expiryNanos);
  }

  /** Adds a session that is not in the table yet. */
  public Session restore(long id, String node, long expiryNanos) {
    Session session = new Session(id, node, Math.min(expiryNanos, NameLimits.EXPIRY_NANOS_MAX));
    live.put(id, session);
    return session;
  }

  public void end(Session session) {
    live.remove(session.id());
    ended.add(session.id());
  }

  public void restoreEnded(long id) {
    ended.add(id);
  }

  /** How many were ever begun. */
  public int begun() {
    return live.size() + ended.size();
  }

  /** The live sessions, in the order of their ids. */
  public Collection<Session> live() {
    return Collections.unmodifiableCollection(live.values());
  }

  public long[] ended() {
    return ended.sorted();
  }
}
