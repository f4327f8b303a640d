// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.namespace.GroupState;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.ring.Instance;
import io.forebay.ring.access.TreeNames;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.UserBounds;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many sessions and private trees of an instance each user has at this home, and their bounds.
 * The owner of the instance and root are not counted: for them, the bounds of the tree apply.
 *
 * <p>Known to the home only and not journalled. A new home counts a session as soon as its client
 * says that it lives, and trees from 0.
 */
final class UserShares {
  /** A user of an instance. */
  private record Share(int instance, int user) {}

  private final LimitCounts counts;
  private final UserBounds bounds;
  private final Map<SessionKey, Share> sessions = new HashMap<>();
  private final Map<Share, Integer> sessionsOf = new HashMap<>();
  private final Map<Share, Integer> treesOf = new HashMap<>();

  UserShares(LimitCounts counts, UserBounds bounds) {
    this.counts = counts;
    this.bounds = bounds;
  }

  /** Why a session, or the tree that it needs, may not begin, or null. */
  Replies.@Nullable Failed objection(GroupState state, Instance instance, Names.Request message) {
    if (!(message.what() instanceof Names.BeginSession begin)) return null;
    SessionKey key = new SessionKey(message.instance(), message.tree(), message.session());
    String node = message.tree() == 0 ? TreeNames.nodeOf(instance, begin.node()) : null;
    boolean namesTree = node != null && state.privateTree(instance.id(), node) == null;
    boolean beginsTree = message.tree() != 0 && !state.hasTree(instance.id(), message.tree());
    Replies.Failed refusal = null;
    if (namesTree || beginsTree) refusal = beginTree(instance, message.who());
    boolean begins = node == null && state.expiryNanos(key) == 0;
    return refusal == null && begins ? beginSession(instance, key, message.who()) : refusal;
  }

  /** A user begins a session that is not there; returns why that is refused, or null. */
  Replies.@Nullable Failed beginSession(Instance instance, SessionKey key, Identity who) {
    Share share = shareOf(instance, who);
    if (share == null || sessions.containsKey(key)) return null;
    int has = sessionsOf.getOrDefault(share, 0);
    if (has >= bounds.sessions()) {
      counts.reached(Limit.SESSIONS_PER_USER);
      return refusal(share, has, "sessions", instance);
    }
    sessions.put(key, share);
    sessionsOf.merge(share, 1, Integer::sum);
    return null;
  }

  /** The same for a private tree. */
  Replies.@Nullable Failed beginTree(Instance instance, Identity who) {
    Share share = shareOf(instance, who);
    if (share == null) return null;
    int has = treesOf.getOrDefault(share, 0);
    if (has >= bounds.trees()) {
      counts.reached(Limit.TREES_PER_USER);
      return refusal(share, has, "private trees", instance);
    }
    treesOf.merge(share, 1, Integer::sum);
    return null;
  }

  private static Replies.Failed refusal(Share share, int has, String what, Instance instance) {
    return new Replies.Failed(
        ErrorCode.BUSY,
        "user %d has %d %s of instance '%s', the limit"
            .formatted(share.user, has, what, instance.name()));
  }

  private static @Nullable Share shareOf(Instance instance, Identity who) {
    boolean free = who.user() == instance.owner() || who.user() == Identity.ROOT;
    return free ? null : new Share(instance.id(), who.user());
  }

  /** A session that another home may have begun lives. */
  void seen(Instance instance, SessionKey key, Identity who) {
    Share share = shareOf(instance, who);
    if (share == null || sessions.putIfAbsent(key, share) != null) return;
    sessionsOf.merge(share, 1, Integer::sum);
  }

  void ended(SessionKey key) {
    Share share = sessions.remove(key);
    if (share == null) return;
    sessionsOf.computeIfPresent(share, (known, count) -> count == 1 ? null : count - 1);
  }

  void endAllBut(Set<SessionKey> living) {
    for (SessionKey key : Set.copyOf(sessions.keySet())) {
      if (!living.contains(key)) ended(key);
    }
  }

  void dropped(EndedInstances ended) {
    treesOf.keySet().removeIf(share -> ended.contains(share.instance));
  }
}
