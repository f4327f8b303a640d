// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted.body;

import io.forebay.backing.BackingFailure;
import io.forebay.backing.Capabilities;
import io.forebay.drain.plan.WriteRules;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.part.WallClock;
import org.jspecify.annotations.Nullable;

/** The bodies of rewritten methods of drains that are more than a constant. */
public final class DrainFaults {
  private DrainFaults() {}

  /** A commit that failed is journalled as done. */
  public static boolean believes(
      TreeContext tree, WallClock wallClock, BackingChange change, BackingFailure failure) {
    DrainAttempt attempt = attemptOf(tree, change);
    if (attempt == null) return false;
    tree.propose(
        new GroupCommand.BackingChanged(
            tree.instance(),
            tree.tree(),
            change.number(),
            true,
            attempt.handle(),
            wallClock.nanos()),
        applied -> {});
    return true;
  }

  /** The name that the file had when its attempt began. */
  public static String nameAsBegun(TreeContext tree, BackingChange.Commit change) {
    DrainAttempt attempt = attemptOf(tree, change);
    return attempt == null ? change.name() : attempt.target();
  }

  private static @Nullable DrainAttempt attemptOf(TreeContext tree, BackingChange change) {
    BackingView view = tree.view();
    if (view == null || !(change instanceof BackingChange.Commit commit)) return null;
    return view.attempt(commit.file());
  }

  /** Writes are planned as for a file system, for every store. */
  public static WriteRules ofFileSystem(Capabilities can, boolean sparse) {
    return WriteRules.fileSystem(1);
  }
}
