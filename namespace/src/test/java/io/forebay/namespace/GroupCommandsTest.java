// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.drain.FoundInBacking;
import io.forebay.namespace.tree.drain.PackOutcome;
import io.forebay.namespace.tree.drain.ReadPiece;
import io.forebay.namespace.use.Counted;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands as bytes and back. */
class GroupCommandsTest {
  static final List<GroupCommand> ALL =
      List.of(
          new GroupCommand.ClientChange(
              1,
              2,
              -3,
              4,
              5,
              6,
              new Identity(6, List.of(7, 8)),
              9,
              new Names.Publish(
                  10, true, false, List.of(new Names.Piece(11, 12, new GroupId(13), 14)))),
          new GroupCommand.BeginTree(1, 2, 3, 4, 5, true, 6),
          new GroupCommand.NameTree(1, "nöde", new GroupId(2)),
          new GroupCommand.GrantTree(1, 2, 3),
          new GroupCommand.GrowTree(1, 2, 3),
          new GroupCommand.ResizeTree(1, 2, 3),
          new GroupCommand.ExpireSession(1, 2, 3, 4),
          new GroupCommand.Forget(1, 2, List.of(3L, 4L)),
          new GroupCommand.BeginDrain(1, 2, 3, 4, 5),
          new GroupCommand.NoteHandle(1, 2, 3, 4, "händle"),
          new GroupCommand.CommitDrain(1, 2, 3, 4),
          new GroupCommand.EndDrain(1, 2, 3, 4),
          new GroupCommand.BackingChanged(1, 2, 3, true, "täg", 4),
          new GroupCommand.CallBacking(1, 2, new BackingCall(3, 4, 5)),
          new GroupCommand.BackingNoted(1, 2, 3, 4, 5),
          new GroupCommand.BeginPack(1, 2, List.of(3L, 4L), List.of(5L, 6L), 7),
          new GroupCommand.NotePack(1, 2, 3, "händle"),
          new GroupCommand.CommitPack(1, 2, 3),
          new GroupCommand.EndPack(1, 2, 3),
          new GroupCommand.PackCommitted(
              1, 2, new PackOutcome(3, true, List.of("täg", ""), List.of(1)), 4),
          new GroupCommand.Release(1, 2, List.of(3L, 4L)),
          new GroupCommand.Restored(List.of(1, 7)),
          new GroupCommand.WantDrain(1, 2, 3),
          new GroupCommand.BeginOver(new GroupCommand.BeginTree(1, 2, 3, 4, 5, false, 6)),
          new GroupCommand.BeginAfterLoss(
              new GroupCommand.BeginTree(1, 2, 3, 4, 5, false, 6), true, 7),
          new GroupCommand.KeyTree(1, 2, Bytes.copyOf(new byte[] {3, 4})),
          new GroupCommand.LimitTree(1, 2, 3, 4, true),
          new GroupCommand.CountUse(1, new Counted(2, 3, 4, 5, 6)),
          new GroupCommand.Adopt(
              1,
              2,
              3,
              4,
              List.of(
                  new FoundInBacking("näme", FoundInBacking.Kind.FILE, 5, 6, 7, 8, 9, "täg"),
                  FoundInBacking.nothing("gone")),
              true,
              10,
              11),
          new GroupCommand.EnterRead(
              1, 2, new ReadPiece(3, 4, 5, 6, "täg", new Names.Piece(7, 8, new GroupId(9), 10))),
          new GroupCommand.DropEnded(EndedInstances.NONE.with(1)));

  @Test
  void everyCommandComesBack() throws MalformedFields {
    for (GroupCommand command : ALL) {
      assertThat(GroupCommands.read(GroupCommands.write(command))).isEqualTo(command);
    }
    assertThat(ALL.stream().map(Object::getClass))
        .containsExactlyInAnyOrder(GroupCommand.class.getPermittedSubclasses());
  }

  @Test
  void whatIsCutOrLongOrOfAnotherVersionIsRefused() {
    for (GroupCommand command : ALL) {
      byte[] bytes = GroupCommands.write(command).toArray();
      for (int length = 0; length < bytes.length; length++) {
        assertRefused(Arrays.copyOf(bytes, length));
      }
      assertRefused(Arrays.copyOf(bytes, bytes.length + 1));
      bytes[0]++;
      assertRefused(bytes);
    }
    assertRefused(new byte[] {1, 99});
  }

  private static void assertRefused(byte[] bytes) {
    assertThatThrownBy(() -> GroupCommands.read(Bytes.copyOf(bytes)))
        .isInstanceOf(MalformedFields.class);
  }
}
