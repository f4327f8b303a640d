// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.TestGroup;
import io.forebay.namespace.tree.BackingView;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was read from the store comes back as a clean copy, if nothing changed meanwhile. */
class EnteredReadsTest extends DrainedGroup {
  private static final long HOMES = 0x4ead5L;

  private final long file = write("a");
  private long read;

  EnteredReadsTest() {
    TestGroup begun = group;
    long clients = begun.session;
    begun.session = HOMES;
    begun.change(new Names.BeginSession("@reads", TestGroup.SECOND));
    begun.session = clients;
    drain(file);
    release();
  }

  private void release() {
    group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(file)));
    assertThat(group.runs(file)).isEmpty();
  }

  private ReadPiece piece(long offset, int bytes) {
    BackingView.Stored known = view().stored(file);
    assertThat(known).isNotNull();
    return new ReadPiece(
        HOMES,
        0,
        file,
        group.stat(file).version(),
        known.contentTag(),
        TestGroup.piece(offset, bytes, ++read));
  }

  private ErrorCode enter(ReadPiece piece) {
    return group.code(group.apply(new GroupCommand.EnterRead(BUFFER, TREE, piece)));
  }

  /** It is in no file, never will be, and its group hears of it at once. */
  private void assertRefused(ReadPiece piece) {
    List<Names.Run> before = group.runs(file);
    assertThat(enter(piece)).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(group.runs(file)).isEqualTo(before);
    long sequence = piece.piece().sequence();
    assertThat(group.applied.dead())
        .containsExactly(
            new GroupState.DeadIn(
                TestGroup.HOME,
                Data.Dead.records(new FileId(BUFFER, file), HOMES, sequence, sequence)));
    assertThat(group.dead(HOMES, List.of(sequence))).containsExactly(sequence);
    assertThat(enter(piece)).isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void whatIsEnteredIsReadFromTheBufferAndStaysClean() throws MalformedFields {
    long version = group.stat(file).version();
    assertThat(enter(piece(40, 60))).isEqualTo(ErrorCode.NONE);
    assertThat(group.runs(file)).hasSize(1);
    assertThat(view().needsBacking(file)).isTrue();
    assertThat(entry(file).backed()).isTrue();
    assertThat(enter(piece(0, 40))).isEqualTo(ErrorCode.NONE);
    assertThat(view().needsBacking(file)).isFalse();
    assertThat(entry(file).backed()).isFalse();
    assertThat(group.stat(file).version()).isEqualTo(version);
    assertThat(group.stat(file).allocatedBytes()).isEqualTo(100);
    assertThat(dirty()).isEmpty();
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.DURABLE);
    assertThat(group.state.digest()).isEqualTo(group.replayed().digest());
    assertThat(group.state.digest()).isEqualTo(group.restored(GroupState.CHUNK_BYTES_MIN).digest());
  }

  @Test
  void itIsGivenUpAgainAndComesAgain() {
    ReadPiece first = piece(0, 100);
    assertThat(enter(first)).isEqualTo(ErrorCode.NONE);
    assertThat(view().releasable()).containsExactly(file);
    release();
    assertThat(group.applied.dead()).hasSize(1);
    assertThat(group.stat(file).allocatedBytes()).isZero();
    // The same record may be gone by now.
    assertThat(enter(first)).isEqualTo(ErrorCode.INVALID);
    assertThat(group.runs(file)).isEmpty();
    assertThat(enter(piece(0, 100))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void whatWasWrittenMeanwhileStays() {
    ReadPiece late = piece(0, 100);
    group.publish(file, TestGroup.piece(50, 10, ++pieces));
    assertRefused(late);
    ReadPiece ofWhatIsDirty = piece(0, 50);
    assertRefused(ofWhatIsDirty);
    drain(file);
    assertRefused(piece(0, 100));
    assertThat(enter(piece(0, 50))).isEqualTo(ErrorCode.NONE);
    assertThat(group.runs(file)).hasSize(2);
  }

  @Test
  void whatIsWrittenLaterIsNewer() {
    assertThat(enter(piece(0, 100))).isEqualTo(ErrorCode.NONE);
    group.publish(file, TestGroup.piece(0, 100, ++pieces));
    assertThat(group.applied.dead()).hasSize(1);
    assertThat(group.runs(file))
        .singleElement()
        .satisfies(run -> assertThat(run.record().session()).isEqualTo(TestGroup.SESSION));
    assertThat(dirty()).containsExactly(file);
  }

  @Test
  void whatWasCutOffMeanwhileStaysSo() {
    ReadPiece late = piece(0, 100);
    setSize(file, 40);
    setSize(file, 100);
    assertRefused(late);
    drain(file);
    assertThat(backedBytes(file)).isEqualTo(40);
    assertRefused(piece(0, 41));
    assertThat(enter(piece(0, 40))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void whatSomebodyElseChangedUnderneathIsNotMixed() {
    assertThat(enter(piece(0, 40))).isEqualTo(ErrorCode.NONE);
    ReadPiece late = piece(40, 60);
    long mark = view().settledMark();
    group.change(new Names.Refresh(TestGroup.ROOT, ""));
    group.apply(
        new GroupCommand.Adopt(
            BUFFER,
            TREE,
            TestGroup.ROOT,
            mark,
            List.of(new FoundInBacking("a", FoundInBacking.Kind.FILE, 100, 0644, 0, 0, 7, "other")),
            true,
            0,
            group.now()));
    assertThat(group.runs(file)).isEmpty();
    assertThat(group.applied.dead()).hasSize(1);
    assertRefused(late);
    // Nor under the new version, if it was the old content that was read.
    ReadPiece again = piece(0, 100);
    assertRefused(new ReadPiece(HOMES, 0, file, again.version(), late.contentTag(), again.piece()));
  }

  @Test
  void whatGetsAnotherNameInTheStoreIsReadAgain() {
    ReadPiece late = piece(0, 100);
    rename("a", "b", false);
    assertRefused(late);
    changeAll();
    assertThat(enter(piece(0, 100))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void whatAHomeGaveUpIsGarbage() {
    ReadPiece given = piece(0, 50);
    ReadPiece next = piece(50, 50);
    long sequence = given.piece().sequence();
    assertThat(group.dead(HOMES, List.of(sequence))).isEmpty();
    assertThat(
            enter(
                new ReadPiece(HOMES, read, file, next.version(), next.contentTag(), next.piece())))
        .isEqualTo(ErrorCode.NONE);
    assertThat(group.dead(HOMES, List.of(sequence))).containsExactly(sequence);
    assertThat(enter(given)).isEqualTo(ErrorCode.INVALID);
    group.apply(new GroupCommand.ExpireSession(BUFFER, TREE, HOMES, group.now()));
    assertThat(enter(piece(0, 50))).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(group.runs(file)).hasSize(1);
  }

  @Test
  void noMoreIsEnteredThanTheTreeMayHold() {
    TestGroup small = TestGroup.begun(100);
    assertThat(small.state.freeBytes(BUFFER, TREE)).isEqualTo(100);
    EnteredReads full = new EnteredReads(small);
    assertThat(full.enterAll()).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(small.state.freeBytes(BUFFER, TREE)).isEqualTo(1);
  }

  /** A tree whose room somebody else has taken since. */
  private static final class EnteredReads extends DrainedGroup {
    EnteredReads(TestGroup small) {
      super(small);
    }

    ErrorCode enterAll() {
      long old = write("a");
      drain(old);
      group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(old)));
      group.publish(group.create("b").number(), TestGroup.piece(0, 99, ++pieces));
      BackingView.Stored known = view().stored(old);
      assertThat(known).isNotNull();
      ReadPiece piece =
          new ReadPiece(
              TestGroup.SESSION,
              0,
              old,
              group.stat(old).version(),
              known.contentTag(),
              TestGroup.piece(0, 100, ++pieces));
      return group.code(group.apply(new GroupCommand.EnterRead(BUFFER, TREE, piece)));
    }
  }
}
