// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.HOME;
import static io.forebay.namespace.TestGroup.OTHER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.TREE;
import static io.forebay.namespace.TestGroup.open;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupState.DeadIn;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The main paths: write, overwrite, unlink, forget, and the same from journal and snapshot. */
class GroupStateTest {
  private final TestGroup group = TestGroup.begun();

  @Test
  void whatIsAllocatedCountsUntilItIsWrittenOrCutOff() {
    long file = group.create("f").number();
    group.publish(file, TestGroup.piece(0, 100, 1));
    group.change(new Names.Allocate(file, 50, 1000, true));
    assertThat(group.stat("f").sizeBytes()).isEqualTo(100);
    assertThat(group.stat("f").reservedBytes()).isEqualTo(950);
    group.change(new Names.Allocate(file, 0, 2000, false));
    assertThat(group.stat("f").sizeBytes()).isEqualTo(2000);
    assertThat(group.stat("f").reservedBytes()).isEqualTo(1900);
    assertThat(group.stat("f").allocatedBytes()).isEqualTo(100);
    group.publish(file, TestGroup.piece(1000, 300, 2));
    assertThat(group.stat("f").reservedBytes()).isEqualTo(1600);
    group.change(new Names.Punch(file, 1500, 200));
    assertThat(group.stat("f").reservedBytes()).isEqualTo(1400);
    group.change(new Names.SetAttributes(file, "", true, -1, -1, -1, 500, -1, -1));
    assertThat(group.stat("f").reservedBytes()).isEqualTo(400);
  }

  @Test
  void aFileIsMadePublishedAndFound() {
    group.mkdir("d");
    Names.Attributes made = group.create("d/f");
    assertThat(made.kind()).isEqualTo(Names.Kind.FILE);
    Names.Published published = group.publish(made.number(), piece(0, 100, 1), piece(100, 50, 2));
    assertThat(published).isEqualTo(new Names.Published(group.index, 0, 150));
    Names.Attributes found = group.stat("d/f");
    assertThat(found.sizeBytes()).isEqualTo(150);
    assertThat(found.allocatedBytes()).isEqualTo(150);
    assertThat(found.version()).isEqualTo(group.index);
    assertThat(group.runs(made.number())).extracting(Names.Run::offset).containsExactly(0L, 100L);
  }

  @Test
  void overwrittenRecordsDieInRangesPerGroup() {
    long file = group.create("f").number();
    group.publish(
        file,
        piece(0, 10, 1),
        piece(10, 10, 2),
        new Names.Piece(20, 10, OTHER, 3 * 256),
        piece(30, 10, 4));
    group.publish(file, piece(0, 40, 9));
    long session = TestGroup.SESSION;
    FileId id = new FileId(BUFFER, file);
    assertThat(group.applied.dead())
        .containsExactly(
            new DeadIn(HOME, Data.Dead.records(id, session, 256, 4 * 256)),
            new DeadIn(OTHER, Data.Dead.records(id, session, 3 * 256, 3 * 256)));
    assertThat(group.dead(session, List.of(256L, 9 * 256L, 10 * 256L))).containsExactly(256L);
    group.change(new Names.EndSession());
    assertThat(group.dead(session, List.of(256L, 9 * 256L, 10 * 256L)))
        .containsExactly(256L, 10 * 256L);
  }

  @Test
  void whatAClientHasGivenUpIsDeadAndCannotBePublished() {
    long file = group.create("f").number();
    group.publish(file, piece(0, 10, 3), new Names.Piece(10, 10, OTHER, 4 * 256 + 1));
    long session = TestGroup.SESSION;
    List<Long> asked = List.of(2 * 256L, 3 * 256L, 4 * 256L, 4 * 256L + 1, 5 * 256L);
    assertThat(group.dead(session, asked)).as("another attempt counts").containsExactly(4 * 256L);
    group.apply(
        new GroupCommand.ClientChange(
            BUFFER, TREE, session, ++group.op, 0, 5, group.who, 1, new Names.TakeNumbers(1)));
    assertThat(group.dead(session, asked)).containsExactly(2 * 256L, 4 * 256L);
    assertThat(group.tryChange(new Names.Publish(file, false, false, List.of(piece(0, 10, 2)))))
        .isEqualTo(ErrorCode.INVALID);
    group.publish(file, piece(0, 10, 5));
    assertThat(group.dead(session, asked)).containsExactly(2 * 256L, 3 * 256L, 4 * 256L);
  }

  @Test
  void anUnlinkedFileLivesUntilItIsForgotten() {
    long file = group.create("f").number();
    group.publish(file, piece(0, 10, 1));
    group.change(new Names.Unlink(ROOT, "f"));
    FileId id = new FileId(BUFFER, file);
    assertThat(group.applied.orphaned()).containsExactly(id);
    assertThat(group.applied.dead()).isEmpty();
    assertThat(group.state.orphans()).containsExactly(id);
    group.publish(file, new Names.Piece(10, 10, OTHER, 512));
    assertThat(group.stat(file).links()).isZero();
    assertThat(group.stat(file).sizeBytes()).isEqualTo(20);
    group.apply(new GroupCommand.Forget(BUFFER, TREE, List.of(file)));
    assertThat(group.applied.dead())
        .containsExactlyInAnyOrder(
            new DeadIn(HOME, Data.Dead.file(id)), new DeadIn(OTHER, Data.Dead.file(id)));
    assertThat(group.state.fileExists(id)).isFalse();
    assertThat(group.tryAsk(new Names.FindRuns(file, 0, 1, 1))).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(group.must(Names.UsageIs.class, group.ask(new Names.GetUsage())).usedBytes())
        .isZero();
  }

  @Test
  void anOpenThatChangesNothingNeedsNoJournal() {
    long session = TestGroup.SESSION;
    assertThat(
            group.state.openExisting(BUFFER, TREE, session, 0, group.who, open("f", true, false)))
        .isNull();
    Names.Attributes made = group.create("f");
    assertThat(
            group.state.openExisting(BUFFER, TREE, session, 0, group.who, open("f", true, false)))
        .isEqualTo(new Names.NodeIs(made));
    assertThat(
            group.state.openExisting(BUFFER, TREE, session, 0, group.who, open("f", false, true)))
        .isNull();
    assertThat(
            group.code(
                group.state.openExisting(
                    BUFFER, TREE, session, 0, group.who, open("g", false, false))))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(
            group.code(
                group.state.openExisting(BUFFER, TREE, 99, 0, group.who, open("f", false, false))))
        .isEqualTo(ErrorCode.SESSION_ENDED);
  }

  @Test
  void pairsAreReplacedAsAWhole() {
    long first = group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(2))).first();
    group.change(new Names.PutPair("a/key", first, 30, List.of(piece(0, 10, 1), piece(10, 20, 2))));
    assertThat(group.applied.reply()).isEqualTo(new Names.Published(group.index, 0, 30));
    Names.PairIs pair = group.must(Names.PairIs.class, group.ask(new Names.GetPair("a/key", 100)));
    assertThat(pair.file()).isEqualTo(first);
    assertThat(pair.runs().runs()).hasSize(2);
    group.change(new Names.PutPair("a/key", first + 1, 0, List.of()));
    assertThat(group.applied.dead())
        .containsExactly(new DeadIn(HOME, Data.Dead.file(new FileId(BUFFER, first))));
    assertThat(group.tryChange(new Names.DeletePair("a/key"))).isEqualTo(ErrorCode.NONE);
    assertThat(group.tryAsk(new Names.GetPair("a/key", 100))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void aFileThatIsPutAppearsWhole() {
    long first = group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(2))).first();
    List<Names.Piece> pieces = List.of(piece(10, 20, 2), piece(0, 10, 1));
    Names.PutFile put = new Names.PutFile(ROOT, "f", 0640, 123_456_789L, first, 30, pieces);
    assertThat(group.change(put)).isEqualTo(new Names.Published(group.index, 0, 30));
    Names.Attributes made = group.stat("f");
    assertThat(made.number()).isEqualTo(first);
    assertThat(made.sizeBytes()).isEqualTo(30);
    assertThat(made.mode() & 07777).isEqualTo(0640);
    assertThat(made.modifyNanos()).isEqualTo(123_456_789L);
    assertThat(made.links()).isEqualTo(1);
    assertThat(group.runs(first)).hasSize(2);
    assertThat(group.state.isUnfinished(new SessionKey(BUFFER, TREE, group.session), first))
        .as("it needs no close")
        .isFalse();
    // It is a file like any other.
    group.publish(first, piece(30, 5, 3));
    assertThat(group.stat("f").sizeBytes()).isEqualTo(35);
    assertThat(group.tryChange(new Names.Unlink(ROOT, "f"))).isEqualTo(ErrorCode.NONE);
    group.change(new Names.PutFile(ROOT, "g", 0600, Names.NOW, first + 1, 0, List.of()));
    assertThat(group.stat("g").modifyNanos()).isEqualTo(group.stat("g").changeNanos());
  }

  @Test
  void journalAndSnapshotGiveTheSameState() throws MalformedFields {
    group.mkdir("d");
    long file = group.create("d/f").number();
    group.publish(file, piece(0, 100, 1), piece(50, 10, 2));
    group.change(new Names.MakeSymlink(ROOT, "s", "d/f"));
    group.change(new Names.TakeRoom(1000));
    group.change(new Names.SetAttributes(file, "", true, -1, -1, -1, 200, -1, -1));
    assertThat(group.replayed().digest()).isEqualTo(group.state.digest());
    assertThat(group.restored(GroupState.CHUNK_BYTES_MIN).digest()).isEqualTo(group.state.digest());
    assertThat(group.restored(300).digest()).isEqualTo(group.state.digest());
  }

  @Test
  void aChangeThatComesAgainIsAnsweredAgain() {
    long op = group.op + 1;
    group.change(new Names.MakeDirectory(ROOT, "d", 0755));
    Object reply = group.applied.reply();
    assertThat(group.change(op, new Names.MakeDirectory(ROOT, "d", 0755))).isEqualTo(reply);
    assertThat(group.tryChange(new Names.MakeDirectory(ROOT, "d", 0755)))
        .isEqualTo(ErrorCode.EXISTS);
  }

  /** After a loss of what was not forced nobody goes on as before, and no number is given twice. */
  @Test
  void aRestoredTreeEndsItsSessionsAndLeavesNumbersOut() throws MalformedFields {
    long before = group.create("f").number();
    group.apply(new GroupCommand.Restored(List.of(BUFFER + 1)));
    assertThat(group.applied.ended()).as("another instance").isEmpty();
    assertThat(group.create("g").number()).isEqualTo(before + 1);
    group.apply(new GroupCommand.Restored(List.of(BUFFER)));
    assertThat(group.applied.ended())
        .containsExactly(new GroupState.SessionKey(BUFFER, TREE, group.session));
    assertThat(group.tryChange(new Names.MakeDirectory(ROOT, "d", 0755)))
        .isEqualTo(ErrorCode.SESSION_ENDED);
    group.session++;
    group.change(new Names.BeginSession("node", TestGroup.SECOND));
    assertThat(group.create("h").number()).isGreaterThan(before + 1_000_000);
    assertThat(group.restored(GroupState.CHUNK_BYTES_MIN).digest()).isEqualTo(group.state.digest());
  }

  @Test
  void privateTreesAreListed() {
    GroupState state = new GroupState(HOME);
    state.apply(1, new GroupCommand.BeginTree(3, 0, 0, 0, 0, true, 1));
    assertThat(state.privateTree(3, "n1")).isNull();
    Names.SessionIs first = new Names.SessionIs(1, OTHER, 1);
    assertThat(state.apply(2, new GroupCommand.NameTree(3, "n1", OTHER)).reply()).isEqualTo(first);
    assertThat(state.apply(3, new GroupCommand.NameTree(3, "n2", HOME)).reply())
        .isEqualTo(new Names.SessionIs(2, HOME, 2));
    assertThat(state.apply(4, new GroupCommand.NameTree(3, "n1", HOME)).reply()).isEqualTo(first);
    assertThat(state.privateTree(3, "n1")).isEqualTo(first);
    assertThat(state.sessions()).isEmpty();
    assertThat(state.apply(5, new GroupCommand.DropEnded(EndedInstances.NONE.with(3))).reply())
        .isEqualTo(new Replies.Done());
    assertThat(state.hasTree(3, 0)).isFalse();
    state.apply(6, new GroupCommand.BeginTree(3, 0, 0, 0, 0, true, 1));
    assertThat(state.hasTree(3, 0)).isFalse();
  }

  @Test
  void aTreeOfAllClientsListsPrivateTreesToo() throws Exception {
    TestGroup group = TestGroup.begun(100);
    assertThat(group.apply(new GroupCommand.NameTree(BUFFER, "n1", OTHER)))
        .isEqualTo(new Names.SessionIs(1, OTHER, 1));
    assertThat(group.apply(new GroupCommand.GrantTree(BUFFER, 2, 10)))
        .isInstanceOf(Replies.Failed.class);
    assertThat(group.apply(new GroupCommand.GrantTree(BUFFER, 1, 30)))
        .isEqualTo(new Names.RoomIs(30));
    long file = group.create("f").number();
    group.publish(file, TestGroup.piece(0, 50, 1));
    // Free room is what neither files nor private trees have.
    assertThat(group.state.freeBytes(BUFFER, TREE)).isEqualTo(20);
    assertThat(group.must(Names.UsageIs.class, group.ask(new Names.GetUsage())).usedBytes())
        .isEqualTo(80);
    // Granted room is not held by files of this tree, now or at the most.
    assertThat(group.state.fill(BUFFER)).isEqualTo(new InstanceFill(50, 50, 1));
    assertThat(group.apply(new GroupCommand.GrantTree(BUFFER, 1, 90)))
        .isEqualTo(new Names.RoomIs(50));
    assertThat(group.apply(new GroupCommand.ResizeTree(BUFFER, TREE, 99)))
        .isInstanceOf(Replies.Failed.class);
    GroupState restored = group.restored(GroupState.CHUNK_BYTES_MIN);
    assertThat(restored.digest()).isEqualTo(group.state.digest());
    assertThat(restored.freeBytes(BUFFER, TREE)).isZero();
    assertThat(restored.fill(BUFFER)).isEqualTo(new InstanceFill(50, 50, 1));
  }
}
