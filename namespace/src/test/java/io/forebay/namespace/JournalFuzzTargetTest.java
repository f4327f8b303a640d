// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Any journal entry is a command or malformed. Changes of clients within the bounds of requests are
 * applied, and the resulting state is that of its snapshot. An input is a sequence of entries, each
 * with its length in two bytes.
 */
class JournalFuzzTargetTest {
  private static final int CHANGED = 5_000;
  private static final AllocationBound BOUND = new AllocationBound(4 * 1024 * 1024, 5_000);

  @Test
  void anyEntriesAreCommandsOrMalformed() {
    List<byte[]> valid = new ArrayList<>();
    for (GroupCommand command : GroupCommandsTest.ALL) {
      valid.add(input(List.of(GroupCommands.write(command))));
    }
    valid.add(input(filled().journal));
    new FuzzRun(JournalFuzzTargetTest.class, "journals", valid)
        .play(JournalFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** A group with a file, directories and other nodes, made by clients' changes. */
  static TestGroup filled() {
    TestGroup group = TestGroup.begun(100_000);
    group.mkdir("d");
    long file = group.create("d/f").number();
    group.publish(file, TestGroup.piece(0, 100, 1), TestGroup.piece(50, 10, 2));
    group.change(new Names.SetAttributes(file, "", true, -1, -1, -1, 55, -1, -1));
    group.change(new Names.MakeLink(TestGroup.ROOT, "d/f", TestGroup.ROOT, "h"));
    group.change(new Names.MakeSymlink(TestGroup.ROOT, "s", "d/f"));
    group.change(new Names.MakeNode(TestGroup.ROOT, "p", Names.Kind.FIFO, 0600, 0));
    Bytes value = Bytes.copyOf(new byte[] {1, 2, 3});
    group.change(new Names.SetExtra(TestGroup.ROOT, "d", true, "user.x", value, false, false));
    group.change(new Names.Unlink(TestGroup.ROOT, "h"));
    group.change(new Names.TakeRoom(500));
    return group;
  }

  static byte[] input(List<Bytes> entries) {
    int bytes = entries.stream().mapToInt(entry -> Short.BYTES + entry.length()).sum();
    ByteBuffer input = ByteBuffer.allocate(bytes);
    for (Bytes entry : entries) input.putShort((short) entry.length()).put(entry.asBuffer());
    return input.array();
  }

  static List<Bytes> entries(byte[] input) {
    List<Bytes> entries = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(input);
    while (left.remaining() >= Short.BYTES) {
      int bytes = Math.min(Short.toUnsignedInt(left.getShort()), left.remaining());
      entries.add(Bytes.copyOf(left.slice(left.position(), bytes)));
      left.position(left.position() + bytes);
    }
    return entries;
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    BOUND.check(input.length, () -> play(entries(input)));
  }

  private static void play(List<Bytes> entries) {
    TestGroup group = TestGroup.begun(100_000);
    for (Bytes entry : entries) {
      GroupCommand command;
      try {
        command = GroupCommands.read(entry);
      } catch (MalformedFields refused) {
        continue;
      }
      if (!GroupCommands.write(command).equals(entry)) {
        throw new AssertionError("written otherwise than it was read: " + command);
      }
      if (command instanceof GroupCommand.ClientChange change && isWithinBounds(change)) {
        group.apply(change);
      }
    }
    try {
      GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
      if (copy.digest() != group.state.digest()) throw new AssertionError("restored otherwise");
    } catch (MalformedFields e) {
      throw new AssertionError("its own snapshot is malformed", e);
    }
  }

  private static boolean isWithinBounds(GroupCommand.ClientChange change) {
    Names.Request request =
        new Names.Request(
            TestGroup.HOME,
            1,
            change.instance(),
            change.tree(),
            change.session(),
            change.op(),
            0,
            0,
            true,
            change.who(),
            change.change());
    return RequestBounds.objection(request) == null;
  }
}
