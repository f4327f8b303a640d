// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.right;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.proof.ContentKey;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The keys of the trees of a group, at its home: drawn when a tree begins, given to seats, and used
 * for the proofs of files whose records a session may read (P28).
 */
public final class HomeKeys {
  /** Puts a command about an instance through the journal. */
  public interface Journal {
    void propose(GroupCommand command, int instance);
  }

  private final Supplier<GroupState> state;
  private final Journal journal;
  private final RandomGenerator secrets;

  public HomeKeys(Supplier<GroupState> state, Journal journal, RandomGenerator secrets) {
    this.state = state;
    this.journal = journal;
    this.secrets = secrets;
  }

  /** Serving begins: trees may have been begun by homes that gave them no key, or lost theirs. */
  public void served() {
    for (int instance : state.get().instances()) {
      for (int tree : state.get().trees(instance)) {
        if (state.get().key(instance, tree) == null) begun(instance, tree);
      }
    }
  }

  /** A tree begins. If it gets two keys the first one counts. */
  public void begun(int instance, int tree) {
    ContentKey drawn = ContentKey.draw(secrets);
    journal.propose(new GroupCommand.KeyTree(instance, tree, drawn.bytes()), instance);
  }

  /** The answer to a seat that asks for a key. Only under leases. */
  public Message answer(Data.AskKey question) {
    ContentKey key = state.get().key(question.instance(), question.tree());
    if (key != null) return new Data.KeyIs(key.bytes());
    GroupId elsewhere = state.get().groupOf(question.instance(), question.tree());
    return elsewhere != null ? new Data.TreeIsIn(elsewhere) : noKey(question.tree());
  }

  /** The records of a file, with what seats want to see before they give them. */
  public Message proven(int instance, long file, Names.RunsAre runs) {
    ContentKey key = state.get().key(instance, Names.treeOf(file));
    if (key == null) return noKey(Names.treeOf(file));
    return runs.with(key.proofOf(new FileId(instance, file)));
  }

  private static Replies.Failed noKey(int tree) {
    return new Replies.Failed(ErrorCode.UNAVAILABLE, "tree " + tree + " has no key yet");
  }
}
