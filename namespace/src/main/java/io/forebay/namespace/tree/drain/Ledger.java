// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeWalk;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.Names;
import java.util.function.Consumer;

/** The drain states of files, as the journal has them. */
public final class Ledger {
  private Ledger() {}

  public static boolean isDurable(TreeState tree, FileNode file) {
    BackedFile backed = tree.backing.get(file);
    return backed != null && !backed.name.isEmpty() && backed.durableVersion == file.version;
  }

  public static Names.LedgerEntry entry(TreeState tree, FileNode file) {
    BackedFile backed = tree.backing.get(file);
    DrainAttempt attempt = backed == null ? null : backed.attempt;
    Names.DrainState state =
        isDurable(tree, file)
            ? Names.DrainState.DURABLE
            : attempt == null
                ? Names.DrainState.BUFFERED
                : attempt.naming() ? Names.DrainState.NAMING : Names.DrainState.DRAINING;
    long sinceNanos =
        state == Names.DrainState.DURABLE && backed != null
            ? backed.durableNanos
            : attempt == null ? file.modifyNanos : attempt.beganNanos();
    return new Names.LedgerEntry(
        file.number(),
        tree.backing.pathOf(file),
        file.sizeBytes(),
        file.version,
        backed == null ? 0 : backed.durableVersion,
        tree.backing.needsBacking(file),
        state,
        0,
        0,
        sinceNanos,
        "");
  }

  /** Shows the files below a node, or itself, that the store does not have as they are. */
  public static void dirtyBelow(TreeState tree, Node node, Consumer<FileNode> files) {
    NodeWalk walk = new NodeWalk(node);
    while (walk.hasNext()) {
      if (!(walk.next() instanceof FileNode file)) continue;
      if (!file.pair && file.links > 0 && !isDurable(tree, file)) files.accept(file);
    }
  }
}
