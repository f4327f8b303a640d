// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.Capabilities;
import io.forebay.base.FileId;
import io.forebay.drain.policy.Cause;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.seat.TestSeat;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PackingTest {
  private static final long LINGER = 1_500_000_000L;
  private static final int LIMIT = 1000;
  private static final int EXTENTS_MAX = 64;

  private final TestSeat seat =
      new TestSeat().follow(SmallRing.of(2).group(1, 1, current(1)).instance(1, false).map());
  private final TestTree tree = new TestTree(seat);
  private final Packing packing = packing(LIMIT);

  private Packing packing(long limitBytes) {
    DrainPolicy policy = new DrainPolicy(true, 0, 0, true, 0, 5, false, limitBytes);
    return new Packing(seat.basics(), seat.questions(), tree, policy);
  }

  @BeforeEach
  void declare() {
    tree.backing().declare(can(Capabilities.Verification.READ_BACK, 1 << 30));
  }

  private static Capabilities can(Capabilities.Verification verification, long partBytesMax) {
    return new Capabilities(
        true, true, 1, partBytesMax, 1000, true, true, true, true, true, 1, verification);
  }

  private static DrainQueue.Item item(long file, Cause cause) {
    return new DrainQueue.Item(new FileId(TestTree.INSTANCE, file), cause, 5, 0);
  }

  private boolean takes(long file) {
    return packing.takes(item(file, Cause.CLOSE));
  }

  private long write(String name, int lengthBytes) {
    long file = tree.create(name);
    tree.publish(file, 0, lengthBytes);
    return file;
  }

  /** The files of the packs that were begun since the last call. */
  private List<List<Long>> begun() {
    List<List<Long>> begun = new ArrayList<>();
    for (GroupCommand command : tree.takeProposed()) {
      if (command instanceof GroupCommand.BeginPack pack) begun.add(pack.files());
    }
    return begun;
  }

  private List<List<Long>> tick() {
    packing.tick();
    return begun();
  }

  /** The pack of two files, as an earlier home left it in the journal. */
  private OpenPack former(String... names) {
    List<Long> files = new ArrayList<>();
    List<Long> versions = new ArrayList<>();
    for (String name : names) {
      long file = tree.write(name);
      files.add(file);
      versions.add(Objects.requireNonNull(tree.view().attributes(file)).version());
    }
    tree.apply(new GroupCommand.BeginPack(TestTree.INSTANCE, 0, files, versions, 1));
    return tree.view().packs().getFirst();
  }

  @Test
  void smallFilesWaitForEachOtherAndBecomeOnePack() {
    long first = tree.write("a");
    long second = tree.write("b");
    assertThat(takes(first)).isTrue();
    seat.sleep(LINGER / 2);
    assertThat(takes(second)).isTrue();
    assertThat(packing.contains(second)).isTrue();
    seat.sleep(LINGER / 2 - 1);
    assertThat(tick()).isEmpty();
    seat.sleep(1);
    assertThat(tick()).containsExactly(List.of(first, second));
    assertThat(packing.contains(first)).as("while it is written").isTrue();
    assertThat(packing.nextAlone()).isNull();
  }

  @Test
  void aFileThatAClientWaitsForDoesNotWait() {
    long first = tree.write("a");
    long second = tree.write("b");
    takes(first);
    assertThat(packing.takes(item(second, Cause.REQUEST))).isTrue();
    assertThat(tick()).containsExactly(List.of(first, second));
  }

  @Test
  void aFileWithoutCompanyIsStoredOnItsOwn() {
    long file = tree.write("a");
    takes(file);
    seat.sleep(LINGER);
    assertThat(tick()).isEmpty();
    assertThat(packing.contains(file)).isTrue();
    assertThat(Objects.requireNonNull(packing.nextAlone()).file().number()).isEqualTo(file);
    assertThat(packing.contains(file)).isFalse();
  }

  @Test
  void emptyFilesAloneMakeNoPack() {
    long first = tree.create("a");
    long second = tree.create("b");
    takes(first);
    takes(second);
    seat.sleep(LINGER);
    assertThat(tick()).isEmpty();
    assertThat(packing.nextAlone()).isNotNull();
    assertThat(packing.nextAlone()).isNotNull();
  }

  @Test
  void filesAreTakenOnlyBelowThePolicysLimit() {
    assertThat(takes(write("a", LIMIT - 1))).isTrue();
    assertThat(takes(write("b", LIMIT))).isFalse();
    Packing off = packing(0);
    assertThat(off.isOn()).isFalse();
    assertThat(off.takes(item(tree.write("c"), Cause.CLOSE))).isFalse();
  }

  @Test
  void aFileThatFillsHalfAPackIsNotTaken() {
    tree.backing().declare(can(Capabilities.Verification.READ_BACK, 2 * LIMIT));
    assertThat(takes(write("a", LIMIT - 1))).isFalse();
    assertThat(takes(write("b", 100))).isTrue();
  }

  @Test
  void aStoreThatKeepsNothingGetsNoPacks() {
    tree.backing().declare(can(Capabilities.Verification.NONE, 1 << 30));
    assertThat(takes(tree.write("a"))).isFalse();
  }

  @Test
  void aFileInManyPiecesIsNotTaken() {
    long file = tree.create("a");
    for (int i = 0; i < EXTENTS_MAX; i++) tree.publish(file, 2L * i, 1);
    assertThat(takes(file)).isTrue();
    tree.publish(file, 2L * EXTENTS_MAX, 1);
    assertThat(takes(file)).isFalse();
  }

  @Test
  void aNameThatIsForebaysOwnInTheStoreIsNotTaken() {
    assertThat(takes(tree.write(".forebay"))).isFalse();
    assertThat(Packing.problemWith("/.forebay")).contains("rename it");
    assertThat(Packing.problemWith("/forebay")).isNull();
  }

  @Test
  void aFileThatWasStoredMeanwhileIsLeftOut() {
    long stored = tree.write("a");
    long second = tree.write("b");
    long third = tree.write("c");
    takes(stored);
    takes(second);
    takes(third);
    tree.drain(stored);
    seat.sleep(LINGER);
    assertThat(tick()).containsExactly(List.of(second, third));
    assertThat(packing.contains(stored)).isFalse();
  }

  @Test
  void aFileThatGrewMeanwhileIsStoredOnItsOwn() {
    long grown = tree.write("a");
    long second = tree.write("b");
    long third = tree.write("c");
    takes(grown);
    takes(second);
    takes(third);
    tree.publish(grown, 0, LIMIT);
    seat.sleep(LINGER);
    assertThat(tick()).containsExactly(List.of(second, third));
    assertThat(Objects.requireNonNull(packing.nextAlone()).file().number()).isEqualTo(grown);
  }

  @Test
  void aPackHasNoMoreFilesThanOneRequestTakesAndTwoAreMadeAtATime() {
    int count = 2 * Drains.MEMBERS_MAX + 2;
    for (int i = 0; i < count; i++) takes(tree.write("f" + i));
    List<List<Long>> begun = tick();
    assertThat(begun).hasSize(2).allMatch(files -> files.size() == Drains.MEMBERS_MAX);
    seat.sleep(LINGER);
    assertThat(tick()).isEmpty();
  }

  @Test
  void aPackThatFailsForMissingBytesIsNotTriedAgainAsAPack() {
    long first = tree.write("a");
    long second = tree.write("b");
    takes(first);
    takes(second);
    seat.sleep(LINGER);
    tick();
    while (tree.ended().isEmpty()) {
      Sent write = seat.takeSent().getFirst();
      assertThat(((Drains.WriteChunk) write.message()).members()).hasSize(2);
      write.answer(new Replies.Failed(ErrorCode.GONE, "no seat has it"));
      seat.advance(AttemptJob.AGAIN_NANOS);
    }
    assertThat(tree.ended()).hasSize(2);
    assertThat(tree.takeProposed()).hasAtLeastOneElementOfType(GroupCommand.EndPack.class);
    assertThat(packing.contains(first)).isFalse();
    assertThat(takes(first)).isFalse();
    packing.isStored(first);
    assertThat(takes(first)).isTrue();
  }

  @Test
  void aFileWhoseNameAnotherProgramHasIsStoredOnItsOwn() {
    long file = tree.write("a");
    packing.isTaken(file);
    assertThat(takes(file)).isFalse();
  }

  @Test
  void aPackOfAnEarlierHomeIsAbortedAndThenEnded() {
    OpenPack pack = former("a", "b");
    packing.tick();
    assertThat(tree.backing().aborted()).containsExactly(packing.attempt(pack).id().text());
    assertThat(tree.takeProposed())
        .containsExactly(new GroupCommand.EndPack(TestTree.INSTANCE, 0, pack.order()));
    assertThat(tree.view().packs()).isEmpty();
  }

  @Test
  void aPackThatCannotBeAbortedStaysInTheJournal() {
    former("a", "b");
    tree.backing().fail(new BackingFailure.Unavailable("away"));
    packing.tick();
    packing.tick();
    assertThat(tree.takeProposed()).isEmpty();
    assertThat(tree.troubles()).as("not at every tick").hasSize(1);
    tree.backing().fail(null);
    seat.advance(TestTree.RETRY_NANOS_MIN);
    packing.tick();
    assertThat(tree.takeProposed()).hasSize(1);
  }

  @Test
  void aPackThatIsAboutToGetItsNameIsNotAborted() {
    OpenPack pack = former("a", "b");
    tree.apply(new GroupCommand.NotePack(TestTree.INSTANCE, 0, pack.order(), "h"));
    tree.apply(new GroupCommand.CommitPack(TestTree.INSTANCE, 0, pack.order()));
    packing.tick();
    assertThat(tree.backing().aborted()).isEmpty();
    assertThat(tree.takeProposed()).isEmpty();
  }

  @Test
  void onlyAttemptsAtOpenPacksAreAlive() {
    OpenPack pack = former("a", "b");
    AttemptId.Origin open = Objects.requireNonNull(packing.attempt(pack).id().origin());
    assertThat(Packing.isPack(open)).isTrue();
    assertThat(packing.isDead(open, tree.view(), null)).isFalse();
    AttemptId noting = packing.noteId(1);
    AttemptId.Origin notes = Objects.requireNonNull(noting.origin());
    assertThat(Packing.isPack(notes)).isTrue();
    assertThat(packing.isDead(notes, tree.view(), noting)).isFalse();
    assertThat(packing.isDead(notes, tree.view(), null)).isTrue();
    tree.apply(new GroupCommand.EndPack(TestTree.INSTANCE, 0, pack.order()));
    assertThat(packing.isDead(open, tree.view(), null)).isTrue();
  }
}
