// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.List;

/** Collects the effects of one entry on one tree. */
final class Noted implements Effects {
  private final int instance;
  private final int tree;
  private final List<GroupState.DeadIn> dead = new ArrayList<>();
  private final List<FileId> orphaned = new ArrayList<>();
  private final List<GroupState.SessionKey> ended = new ArrayList<>();

  Noted(int instance, int tree) {
    this.instance = instance;
    this.tree = tree;
  }

  static GroupState.Applied nothing(Message reply) {
    return new GroupState.Applied(reply, List.of(), List.of(), List.of());
  }

  GroupState.Applied with(Message reply) {
    return new GroupState.Applied(reply, dead, orphaned, ended);
  }

  @Override
  public void dead(GroupId group, Data.Dead records) {
    dead.add(new GroupState.DeadIn(group, records));
  }

  @Override
  public void orphaned(FileId file) {
    orphaned.add(file);
  }

  @Override
  public void ended(long session) {
    ended.add(new GroupState.SessionKey(instance, tree, session));
  }
}
