// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.wire.codec.MessageCodec;
import java.util.List;

/** Commands as bytes: a version, the command's number, its fields. Any thread. */
public final class GroupCommands {
  private static final int VERSION = 1;

  private record Numbered(int code, Class<? extends GroupCommand> type) {}

  /** Numbers are never reused. */
  private static final List<Numbered> ALL =
      List.of(
          new Numbered(1, GroupCommand.ClientChange.class),
          new Numbered(2, GroupCommand.BeginTree.class),
          new Numbered(3, GroupCommand.NameTree.class),
          new Numbered(4, GroupCommand.ExpireSession.class),
          new Numbered(5, GroupCommand.Forget.class),
          new Numbered(7, GroupCommand.GrantTree.class),
          new Numbered(8, GroupCommand.GrowTree.class),
          new Numbered(9, GroupCommand.BeginDrain.class),
          new Numbered(10, GroupCommand.NoteHandle.class),
          new Numbered(11, GroupCommand.CommitDrain.class),
          new Numbered(12, GroupCommand.EndDrain.class),
          new Numbered(13, GroupCommand.BackingChanged.class),
          new Numbered(14, GroupCommand.Release.class),
          new Numbered(15, GroupCommand.Restored.class),
          new Numbered(16, GroupCommand.WantDrain.class),
          new Numbered(30, GroupCommand.BeginOver.class),
          new Numbered(31, GroupCommand.Adopt.class),
          new Numbered(32, GroupCommand.BackingNoted.class),
          new Numbered(33, GroupCommand.BeginPack.class),
          new Numbered(34, GroupCommand.NotePack.class),
          new Numbered(35, GroupCommand.CommitPack.class),
          new Numbered(36, GroupCommand.EndPack.class),
          new Numbered(37, GroupCommand.EnterRead.class),
          new Numbered(38, GroupCommand.PackCommitted.class),
          new Numbered(39, GroupCommand.CallBacking.class),
          new Numbered(50, GroupCommand.BeginAfterLoss.class),
          new Numbered(51, GroupCommand.KeyTree.class),
          new Numbered(52, GroupCommand.ResizeTree.class),
          new Numbered(60, GroupCommand.LimitTree.class),
          new Numbered(61, GroupCommand.CountUse.class),
          new Numbered(62, GroupCommand.DropEnded.class));

  private GroupCommands() {}

  public static Bytes write(GroupCommand command) {
    FieldWriter out = new FieldWriter();
    out.putByte(VERSION);
    out.putByte(codeOf(command));
    MessageCodec.FIELDS.write((Record) command, out);
    return Bytes.copyOf(out.written());
  }

  public static GroupCommand read(Bytes bytes) throws MalformedFields {
    FieldReader in = new FieldReader(bytes.asBuffer());
    int version = in.getByte();
    if (version != VERSION) {
      throw new MalformedFields("a command of version " + version + ", not " + VERSION);
    }
    GroupCommand command = MessageCodec.FIELDS.read(typeOf(in.getByte()), in);
    if (in.remaining() > 0) {
      throw new MalformedFields(in.remaining() + " bytes too many in a command");
    }
    return command;
  }

  private static int codeOf(GroupCommand command) {
    for (Numbered numbered : ALL) {
      if (numbered.type.isInstance(command)) return numbered.code;
    }
    throw new IllegalArgumentException(command.getClass() + " has no number");
  }

  private static Class<? extends GroupCommand> typeOf(int code) throws MalformedFields {
    for (Numbered numbered : ALL) {
      if (numbered.code == code) return numbered.type;
    }
    throw new MalformedFields("no command has number " + code);
  }
}
