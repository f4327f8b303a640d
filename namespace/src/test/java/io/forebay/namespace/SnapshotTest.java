// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.HOME;
import static io.forebay.namespace.TestGroup.OTHER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.TREE;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.proof.ContentKey;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A state written down and read back, and what is no snapshot. */
class SnapshotTest {
  private static final Bytes KEY = ContentKey.draw(new SplittableRandom(1)).bytes();

  private final TestGroup group = TestGroup.begun(100_000);

  @BeforeEach
  void fill() {
    group.mkdir("d");
    long file = group.create("d/f").number();
    group.publish(file, piece(0, 100, 1), piece(50, 10, 2), new Names.Piece(60, 9, OTHER, 768));
    group.change(new Names.SetAttributes(file, "", true, -1, -1, -1, 55, -1, -1));
    group.change(new Names.SetAttributes(file, "", true, -1, -1, -1, 300, -1, -1));
    group.change(new Names.MakeLink(ROOT, "d/f", ROOT, "h"));
    group.change(new Names.MakeSymlink(ROOT, "s", "d/f"));
    group.change(new Names.MakeNode(ROOT, "p", Names.Kind.FIFO, 0600, 0));
    group.change(new Names.MakeNode(ROOT, "c", Names.Kind.CHARACTER_DEVICE, 0666, 0x103));
    group.change(new Names.MakeLink(ROOT, "c", ROOT, "c2"));
    group.change(new Names.Allocate(file, 40, 1000, true));
    Bytes large = Bytes.copyOf(new byte[64 * 1024]);
    group.change(new Names.SetExtra(ROOT, "d", true, "user.x", large, false, false));
    group.change(new Names.SetExtra(ROOT, "h", true, "user.y", large, false, false));
    long orphan = group.create("o").number();
    group.publish(orphan, piece(0, 10, 4));
    group.change(new Names.Unlink(ROOT, "o"));
    long number =
        group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(9))).first();
    group.change(new Names.PutPair("k", number + 3, 7, List.of(piece(0, 7, 5))));
    group.change(new Names.TakeRoom(500));
    group.session = 2;
    group.change(new Names.BeginSession("n2", 1));
    group.change(new Names.EndSession());
    group.apply(new GroupCommand.BeginTree(9, 0, 5, 6, 1000, true, 1));
    group.apply(new GroupCommand.NameTree(9, "n", OTHER));
    group.apply(new GroupCommand.GrantTree(9, 1, 300));
    group.apply(new GroupCommand.BeginTree(BUFFER, 4, 5, 6, 50, false, 1));
    group.apply(new GroupCommand.KeyTree(BUFFER, 4, KEY));
    group.apply(new GroupCommand.DropEnded(EndedInstances.NONE.with(55)));
    group.session = TestGroup.SESSION;
  }

  private List<Bytes> chunks() {
    List<Bytes> chunks = new ArrayList<>();
    group.state.snapshot(GroupState.CHUNK_BYTES_MIN, chunks::add);
    return chunks;
  }

  @Test
  void everythingComesBack() throws MalformedFields {
    GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
    assertThat(copy.digest()).isEqualTo(group.state.digest());
    assertThat(copy.sessions()).isEqualTo(group.state.sessions());
    assertThat(copy.orphans()).isEqualTo(group.state.orphans()).hasSize(1);
    assertThat(copy.privateTree(9, "n")).isEqualTo(new Names.SessionIs(1, OTHER, 1));
    assertThat(copy.freeBytes(9, 0)).isEqualTo(700);
    assertThat(copy.lastIndex()).isEqualTo(group.index);
    assertThat(copy.hasTree(BUFFER, 4)).isTrue();
    assertThat(copy.key(BUFFER, 4)).isEqualTo(ContentKey.of(KEY));
    assertThat(group.stat("c").device()).isEqualTo(0x103);
    assertThat(group.stat("h").reservedBytes()).isEqualTo(1000 - 15);
    assertThat(chunks()).hasSizeGreaterThan(1);
  }

  @Test
  void bothGoOnAlike() throws MalformedFields {
    GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
    long file = group.stat("h").number();
    List<Names.Change> changes =
        List.of(
            new Names.Publish(file, true, false, List.of(piece(0, 10, 20), piece(10, 5, 1))),
            new Names.SetAttributes(file, "", true, -1, -1, -1, 51, -1, -1),
            new Names.Unlink(ROOT, "h"),
            new Names.TakeNumbers(3),
            new Names.DeletePair("k"),
            new Names.TakeRoom(1_000_000),
            new Names.EndSession());
    for (Names.Change change : changes) {
      group.change(change);
      GroupCommand command = read(group.journal.getLast());
      assertThat(copy.apply(group.index, command)).isEqualTo(group.applied);
    }
    assertThat(copy.digest()).isEqualTo(group.state.digest());
  }

  private static GroupCommand read(Bytes entry) throws MalformedFields {
    return GroupCommands.read(entry);
  }

  @Test
  void locksAndThoseThatWaitForThemComeBack() throws MalformedFields {
    long file = group.stat("h").number();
    Names.Lock held = new Names.Lock(file, Names.LockKind.RANGE, 1, 7, true, 0, 9);
    Names.Lock wanted = new Names.Lock(file, Names.LockKind.RANGE, 2, 8, true, 5, 5);
    group.change(new Names.SetLock(held, 0));
    assertThat(group.change(new Names.SetLock(wanted, 31)))
        .isEqualTo(new Names.LockIs(Names.LockState.WAITING));
    GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
    assertThat(asked(copy, new Names.FindLock(wanted)))
        .isEqualTo(new Names.LockHolder(List.of(held)));
    assertThat(asked(copy, new Names.AskLock(31)))
        .isEqualTo(new Names.LockIs(Names.LockState.WAITING));
  }

  private static Message asked(GroupState state, Names.Question question) {
    return state.answer(BUFFER, TREE, TestGroup.SESSION, Identity.root(), question);
  }

  @Test
  void statesThatDifferHaveDifferentDigests() throws MalformedFields {
    GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
    group.change(0, new Names.TakeRoom(1));
    copy.apply(group.index, new GroupCommand.ExpireSession(BUFFER, TREE, 99, 1));
    assertThat(copy.digest()).isNotEqualTo(group.state.digest());
  }

  @Test
  void anEmptyStateIsASnapshotToo() throws MalformedFields {
    GroupState empty = new GroupState(HOME);
    GroupState copy = new GroupState(HOME);
    List<Bytes> chunks = new ArrayList<>();
    empty.snapshot(GroupState.CHUNK_BYTES_MIN, chunks::add);
    for (Bytes chunk : chunks) copy.restore(chunk);
    assertThat(copy.digest()).isEqualTo(empty.digest());
    copy.apply(1, new GroupCommand.DropEnded(EndedInstances.NONE.with(1)));
  }

  @Test
  void aSnapshotGoesIntoAnEmptyStateOfItsGroupInOneGo() throws MalformedFields {
    List<Bytes> chunks = chunks();
    assertThatThrownBy(() -> group.state.restore(chunks.getFirst()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new GroupState(OTHER).restore(chunks.getFirst()))
        .isInstanceOf(MalformedFields.class);
    assertThatThrownBy(() -> new GroupState(HOME).restore(chunks.getLast()))
        .isInstanceOf(MalformedFields.class);
    GroupState half = new GroupState(HOME);
    half.restore(chunks.getFirst());
    assertThatThrownBy(
            () -> half.apply(1_000, new GroupCommand.DropEnded(EndedInstances.NONE.with(1))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> group.state.snapshot(1_000, chunk -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void brokenChunksAreRefusedAndNothingElse() {
    byte[][] good = chunks().stream().map(Bytes::toArray).toArray(byte[][]::new);
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (int i = 0; i < 600; i++) {
      byte[][] broken = Arrays.stream(good).map(byte[]::clone).toArray(byte[][]::new);
      byte[] chunk = broken[random.nextInt(broken.length)];
      // The large value in the middle would take most hits, and any of its bytes is as good.
      int at = random.nextBoolean() ? random.nextInt(300) : chunk.length - 1 - random.nextInt(300);
      at = Math.floorMod(at, chunk.length);
      if (random.nextInt(4) > 0) chunk[at] = (byte) random.nextInt(256);
      else broken[0] = Arrays.copyOf(broken[0], random.nextInt(broken[0].length));
      GroupState copy = new GroupState(HOME);
      try {
        for (byte[] each : broken) copy.restore(Bytes.copyOf(each));
      } catch (MalformedFields e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(60);
  }

  @Test
  void entriesComeInOrder() {
    assertThatThrownBy(
            () ->
                group.state.apply(
                    group.index, new GroupCommand.DropEnded(EndedInstances.NONE.with(BUFFER))))
        .isInstanceOf(IllegalStateException.class);
    assertThat(group.state.hasTree(BUFFER, TREE)).isTrue();
  }
}
