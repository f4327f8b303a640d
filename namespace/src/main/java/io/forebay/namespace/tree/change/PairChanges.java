// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;

/** Changes key-value pairs. A pair is a file with one publish; a replaced value dies at once. */
public final class PairChanges {
  /** How many numbers are given at once. */
  static final int NUMBERS_MAX = 1 << 16;

  /** Unused: the directory of pairs decides which users may use pairs. */
  private static final int PAIR_MODE = 0600;

  private final TreeState tree;
  private final Call call;
  private final Effects effects;

  public PairChanges(TreeState tree, Call call, Effects effects) {
    this.tree = tree;
    this.call = call;
    this.effects = effects;
  }

  public Message takeNumbers(Names.TakeNumbers change, Session session) throws Refused {
    if (change.count() < 1 || change.count() > NUMBERS_MAX) {
      throw new Refused(ErrorCode.INVALID, "asks for " + change.count() + " numbers");
    }
    tree.requireNumbers(change.count());
    long first = tree.takeNumbers(change.count());
    session.taken.add(first, first + change.count() - 1);
    return new Names.NumbersAre(first, change.count());
  }

  public Message put(Names.PutPair change, Session session) throws Refused {
    NameRules.checkKey(change.key());
    requireWrite();
    List<Names.Piece> pieces =
        WholeFile.checked(change.file(), change.sizeBytes(), change.pieces(), session);
    FileNode file = new FileNode(change.file(), true);
    if (!pieces.isEmpty()) new FileChanges(tree, call, effects).place(file, 0, pieces, session);
    enter(change.key(), file);
    session.taken.remove(change.file());
    return new Names.Published(file.version, 0, file.sizeBytes());
  }

  private void enter(String key, FileNode file) {
    file.links = 1;
    file.mode = PAIR_MODE;
    file.user = call.who().user();
    file.group = call.who().primaryGroup();
    file.accessNanos = call.timeNanos();
    file.modified(call.timeNanos());
    file.version = call.index();
    tree.nodes.add(file);
    FileNode replaced = tree.pairs.put(key, file);
    if (replaced != null) ContentWriter.giveUp(tree, replaced, effects);
  }

  public Message delete(Names.DeletePair change) throws Refused {
    NameRules.checkKey(change.key());
    requireWrite();
    FileNode file = tree.pairs.remove(change.key());
    if (file == null) throw new Refused(ErrorCode.NOT_FOUND, "no key '" + change.key() + "'");
    ContentWriter.giveUp(tree, file, effects);
    return new Replies.Done();
  }

  private void requireWrite() throws Refused {
    int access = Permissions.WRITE | Permissions.SEARCH;
    Permissions.require(tree.pairsDirectory(), call.who(), access);
  }
}
