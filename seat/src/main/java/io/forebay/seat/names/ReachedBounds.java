// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.seat.part.HomeView;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;

/**
 * Counts bounds of names that requests have reached, as the answers of the state tell: the state
 * itself counts nothing, since each member applies it. Called by the seat's loop only.
 */
final class ReachedBounds {
  private final LimitCounts counts;

  ReachedBounds(LimitCounts counts) {
    this.counts = counts;
  }

  LimitCounts counts() {
    return counts;
  }

  /** A field of a request is beyond its bound. */
  void field() {
    counts.reached(Limit.REQUEST_FIELDS);
  }

  /** Whether a home takes no more changes now. */
  boolean areChangesFull(HomeView home) {
    boolean full = !home.takesMore();
    // A home that is not serving takes none, however few there are.
    if (full && home.serving()) counts.reached(Limit.CHANGES);
    return full;
  }

  /** Takes what the state has answered; gives it back. */
  Message noted(Names.Op what, Message answer) {
    if (what instanceof Names.BeginSession && answer instanceof Replies.Failed failed) {
      // The bounds of users have answers of their own, which are not the state's.
      if (failed.code() == ErrorCode.BUSY) counts.reached(Limit.SESSIONS);
      if (failed.code() == ErrorCode.NO_SPACE) counts.reached(Limit.TREES);
    } else if (what instanceof Names.SetLock && isFull(answer)) {
      counts.reached(Limit.LOCKS);
    } else if (isCut(what, answer)) {
      counts.reached(Limit.LISTINGS);
    }
    return answer;
  }

  private static boolean isFull(Message answer) {
    return answer instanceof Replies.Failed failed && failed.code() == ErrorCode.NO_SPACE;
  }

  /** Whether an answer has less than the client asked for, and than there is. */
  private static boolean isCut(Names.Op what, Message answer) {
    return switch (answer) {
      case Names.Listing(var entries, boolean more)
          when more && what instanceof Names.ListDirectory list ->
          entries.size() < list.max();
      case Names.PairsAre(var pairs, boolean more)
          when more && what instanceof Names.ListPairs list ->
          pairs.size() < list.max();
      default -> false;
    };
  }
}
