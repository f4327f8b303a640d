// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.namespace.GroupCommand;
import io.forebay.ring.Instance;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gets room for private trees: each begins with none, and its home asks the home of the instance's
 * list of trees for more of the capacity before its own is used up.
 */
final class TreeGrowth {
  /** A private tree gets room in such amounts, or in such parts of the capacity if that is less. */
  private static final long GROW_BYTES = 256L * 1024 * 1024;

  private static final long GROW_PARTS = 64;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  /** Told whether there was an answer; whether there was room the tree will say. */
  interface Grown {
    void grown(boolean answered);
  }

  private final Questions questions;
  private final HomeView home;

  TreeGrowth(Questions questions, HomeView home) {
    this.questions = questions;
    this.home = home;
  }

  /** Whether a private tree has used up its part of the instance's capacity. */
  boolean lacksRoom(Names.Request message, Instance instance, long bytes) {
    return message.tree() != 0
        && instance.capacityBytes() > 0
        && home.state().freeBytes(message.instance(), message.tree()) < bytes;
  }

  /** Gets more of the capacity; the grant is journalled before the callback. */
  void grow(Names.Request message, Instance instance, long bytes, Grown grown) {
    long hasBytes = home.state().capacityBytes(message.instance(), message.tree());
    long moreBytes = Math.max(bytes, Math.min(GROW_BYTES, instance.capacityBytes() / GROW_PARTS));
    questions.askHome(
        instance.rootGroup(),
        root ->
            new Data.GrowTree(
                root.id(),
                root.epoch(),
                message.instance(),
                message.tree(),
                Math.min(instance.capacityBytes(), hasBytes + moreBytes)),
        ANSWER_NANOS,
        reply -> {
          if (reply instanceof Names.RoomIs room) {
            home.propose(
                new GroupCommand.GrowTree(message.instance(), message.tree(), room.bytes()),
                instance.forced(),
                applied -> {});
          }
          grown.grown(reply instanceof Names.RoomIs);
        });
  }

  /** As the home of an instance's list of trees: gives one of them room. */
  void grant(Data.GrowTree message, @Nullable Instance instance, Consumer<Message> answer) {
    if (instance == null || !home.takesMore()) {
      answer.accept(unavailable(" cannot give room now"));
      return;
    }
    home.propose(
        new GroupCommand.GrantTree(message.instance(), message.tree(), message.wantedBytes()),
        instance.forced(),
        applied ->
            answer.accept(
                applied == null ? unavailable(" is changing its home") : applied.reply()));
  }

  private Replies.Failed unavailable(String why) {
    return new Replies.Failed(ErrorCode.UNAVAILABLE, home.group().id() + why);
  }
}
