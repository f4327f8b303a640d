// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.LockTable;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Names.LockState;
import io.forebay.wire.message.Replies;
import java.util.List;

/** Requests of sessions to a tree's locks. */
public final class LockChanges {
  private final TreeState tree;
  private final long session;

  public LockChanges(TreeState tree, long session) {
    this.tree = tree;
    this.session = session;
  }

  public Message set(Names.SetLock change) throws Refused {
    tree.requireFile(change.lock().file());
    return new Names.LockIs(tree.locks.set(session, change));
  }

  public Message unlock(Names.Unlock change) throws Refused {
    tree.locks.unlock(session, change);
    return new Replies.Done();
  }

  public Message cancel(Names.CancelLock change) {
    boolean waited = tree.locks.cancel(session, change.ticket());
    return new Names.LockIs(waited ? LockState.TAKEN : LockState.HELD);
  }

  /** A queued request that no longer waits has got its lock: no other event ends its wait. */
  public Message ask(Names.AskLock question) throws Refused {
    tree.sessions.require(session);
    boolean waits = tree.locks.isWaiting(session, question.ticket());
    return new Names.LockIs(waits ? LockState.WAITING : LockState.HELD);
  }

  public Message find(Names.FindLock question) throws Refused {
    tree.requireFile(question.lock().file());
    LockTable.Held found = tree.locks.find(session, question.lock());
    return new Names.LockHolder(found == null ? List.of() : List.of(found.lock()));
  }
}
