package io.forebay.namespace.tree;

import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Names.LockState;
import io.forebay.wire.message.Replies;
import java.util.List;

/** What sessions ask of a tree's locks. */
final class LockChanges {
  private final TreeState tree;
  private final long session;

  LockChanges(TreeState tree, long session) {
    this.tree = tree;
    this.session = session;
  }

  Message set(Names.SetLock change) throws Refused {
    tree.requireFile(change.lock().file());
    return new Names.LockIs(tree.locks.set(session, change));
  }

  Message unlock(Names.Unlock change) throws Refused {
    tree.locks.unlock(session, change);
    return new Replies.Done();
  }

  Message cancel(Names.CancelLock change) {
    boolean waited = tree.locks.cancel(session, change.ticket());
    return new Names.LockIs(waited ? LockState.TAKEN : LockState.HELD);
  }

  /**
   * A request that was queued and waits no more has got its lock: nothing else ends its waiting.
   */
  Message ask(Names.AskLock question) throws Refused {
    tree.sessions.require(session);
    boolean waits = tree.locks.isWaiting(session, question.ticket());
    return new Names.LockIs(waits ? LockState.WAITING : LockState.HELD);
  }

  Message find(Names.FindLock question) throws Refused {
    tree.requireFile(question.lock().file());
    LockTable.Held found = tree.locks.find(session, question.lock());
    return new Names.LockHolder(found == null ? List.of() : List.of(found.lock()));
  }
}
