// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.wire.message.Names;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recently ended sessions of a group's home. Late records of a session arrive within the time
 * of a client's retries, so that sessions that ended long ago can be forgotten.
 */
final class EndedSessions {
  static final int SESSIONS_MAX = 16 * 1024;

  /** A session and the group of its tree. */
  record Ended(SessionKey key, GroupId treeGroup) {}

  /** In the order of their ends. */
  private final Map<SessionKey, Ended> sessions = new LinkedHashMap<>();

  void add(Ended ended) {
    sessions.put(ended.key, ended);
    if (sessions.size() > SESSIONS_MAX) sessions.remove(sessions.keySet().iterator().next());
  }

  /** The session that wrote something for a file, if it has ended. */
  @Nullable Ended find(long session, FileId file) {
    return sessions.get(new SessionKey(file.instance(), Names.treeOf(file.number()), session));
  }
}
