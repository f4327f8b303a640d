// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.namespace.GroupCommand;
import io.forebay.ring.Instance;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.message.Names;

/** Which trees begin at a home, and how. */
final class TreeBeginnings {
  /** The initial room of a private tree: almost nothing, since 0 would mean no limit. */
  private static final long NO_ROOM_YET = 1;

  private final HomeView home;
  private final WallClock wallClock;

  TreeBeginnings(HomeView home, WallClock wallClock) {
    this.home = home;
    this.wallClock = wallClock;
  }

  /** Whether a tree that is not there begins with this change: a stranger's must not. */
  static boolean mayBegin(Names.Request message, Names.Change change, Instance instance) {
    if (message.tree() == 0) return true;
    return instance.hasPrivateTrees() && change instanceof Names.BeginSession;
  }

  /** The entry that begins a tree. */
  GroupCommand of(Instance instance, int tree) {
    boolean onlyLists = tree == 0 && !instance.hasSharedTree();
    GroupCommand.BeginTree begin =
        new GroupCommand.BeginTree(
            instance.id(),
            tree,
            instance.owner(),
            instance.group(),
            tree == 0 || instance.capacityBytes() == 0 ? instance.capacityBytes() : NO_ROOM_YET,
            onlyLists,
            wallClock.nanos());
    boolean over = instance.drain().over();
    if (home.group().mayLack(instance)) {
      return new GroupCommand.BeginAfterLoss(begin, over, home.group().restoration().epoch());
    }
    return over ? new GroupCommand.BeginOver(begin) : begin;
  }
}
