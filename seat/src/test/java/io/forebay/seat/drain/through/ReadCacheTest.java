// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.drain.policy.KeepPolicy;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.namespace.tree.BackingView;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadCacheTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PRESSED = 5 * SECOND;
  private static final long IDLE = 30 * SECOND;
  private static final long AGAIN = SECOND / 20;
  private static final int SIZE = 8_000;
  private static final DrainSpec STORE = new DrainSpec("file:/store", "");

  private final TestSeat seat = new TestSeat().follow(map(STORE));
  private final TestTree tree = new TestTree(seat);
  private final List<ReadThrough.Asker> served = new ArrayList<>();
  private final List<SessionKey> heard = new ArrayList<>();
  private final ReadCache cache = cache("reads");
  private final long file = stored();

  private static RingMap map(DrainSpec drain) {
    return SmallRing.of(4)
        .group(1, 1, current(1))
        .group(2, 1, current(2))
        .group(3, 1, current(3))
        .group(4, 1, current(4))
        .instance(1, false, drain)
        .map();
  }

  private ReadCache cache(String keep) {
    return new ReadCache(
        seat.basics(),
        seat.questions(),
        tree,
        KeepPolicy.parse(keep),
        new ReadCache.Answers() {
          @Override
          public void heard(SessionKey key) {
            heard.add(key);
          }

          @Override
          public void getAfterFill(ReadThrough.Asker asker) {
            served.add(asker);
          }
        });
  }

  /** A file that only the store has. */
  private long stored() {
    long created = tree.create("f");
    tree.publish(created, 0, SIZE);
    tree.drain(created);
    tree.evict(created);
    return created;
  }

  private ReadThrough.Asker asker(long offset, int lengthBytes) {
    Connection client = seat.client();
    Data.GetBacked message =
        new Data.GetBacked(
            tree.home().group().id(), 1, 1, 0, 7, Identity.root(), file, offset, lengthBytes);
    return new ReadThrough.Asker(client, 3, message);
  }

  private BackingView.Stored storedAs() {
    return Objects.requireNonNull(tree.view().stored(file));
  }

  private boolean take(ReadThrough.Asker asker) {
    return cache.take(asker, tree.view(), storedAs());
  }

  private Sent asked() {
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    return sent.getFirst();
  }

  private static Data.PutBacked put(Sent sent) {
    return (Data.PutBacked) sent.message();
  }

  private static void done(Sent sent) {
    sent.answer(new Data.PutDone(put(sent).record()));
  }

  private static void refuse(Sent sent, ErrorCode code) {
    sent.answer(new Replies.Failed(code, "not now"));
  }

  private List<Names.Change> changes() {
    List<Names.Change> changes = new ArrayList<>();
    for (GroupCommand command : tree.takeProposed()) {
      if (command instanceof GroupCommand.ClientChange change) changes.add(change.change());
    }
    return changes;
  }

  @Test
  void aPieceIsKeptAsARecordThenAddedToTheFileAndOnlyThenServed() {
    ReadThrough.Asker asker = asker(100, 50);
    assertThat(take(asker)).isTrue();
    assertThat(changes()).as("a session first").hasOnlyElementsOfType(Names.BeginSession.class);
    Sent sent = asked();
    Data.PutBacked put = put(sent);
    assertThat(put.name()).isEqualTo(storedAs().name());
    assertThat(put.contentTag()).isEqualTo("tag");
    assertThat(put.offset()).as("whole blocks of a file, as far as it goes").isZero();
    assertThat(put.lengthBytes()).isEqualTo(SIZE);
    assertThat(tree.takeProposed()).isEmpty();
    assertThat(served).isEmpty();
    done(sent);
    assertThat(tree.takeProposed()).hasOnlyElementsOfType(GroupCommand.EnterRead.class);
    assertThat(served).containsExactly(asker);
    assertThat(Objects.requireNonNull(tree.view().extentFrom(file, 0)).record())
        .isEqualTo(put.record());
  }

  @Test
  void readersOfBytesThatAreOnTheirWayWaitForThem() {
    ReadThrough.Asker first = asker(0, 50);
    ReadThrough.Asker second = asker(500, 50);
    take(first);
    Sent sent = asked();
    assertThat(take(second)).isTrue();
    assertThat(seat.takeSent()).isEmpty();
    done(sent);
    assertThat(served).containsExactly(first, second);
  }

  @Test
  void bytesOfAChangedFileAreNotAdded() {
    ReadThrough.Asker asker = asker(0, 50);
    take(asker);
    Sent sent = asked();
    tree.publish(file, 0, 10);
    done(sent);
    assertThat(Objects.requireNonNull(tree.view().extentFrom(file, 0)).lengthBytes()).isEqualTo(10);
    assertThat(tree.view().extentFrom(file, 10)).isNull();
    assertThat(served).containsExactly(asker);
  }

  @Test
  void nothingIsCachedForAWhileAfterASeatNeededRoom() {
    cache.pressed();
    seat.sleep(PRESSED - 1);
    assertThat(take(asker(0, 50))).isFalse();
    seat.sleep(1);
    assertThat(take(asker(0, 50))).isTrue();
  }

  @Test
  void aFileWithoutATagIsNotCached() {
    BackingView.Stored known = storedAs();
    BackingView.Stored untagged = new BackingView.Stored(known.name(), "", known.backedBytes());
    assertThat(cache.take(asker(0, 50), tree.view(), untagged)).isFalse();
  }

  @Test
  void bytesBehindTheEndOfTheStoresCopyAreNotCached() {
    assertThat(take(asker(SIZE - 50, 51))).isFalse();
    assertThat(take(asker(SIZE - 50, 50))).isTrue();
  }

  @Test
  void aPieceThatIsLongerThanARecordIsNotCached() {
    // The largest record of this log is shorter than the file would have to be.
    int max = seat.basics().store().config().payloadBytesMax();
    long large = tree.create("large");
    tree.publish(large, 0, 4 * max);
    tree.drain(large);
    tree.evict(large);
    BackingView.Stored stored = Objects.requireNonNull(tree.view().stored(large));
    Data.GetBacked message =
        new Data.GetBacked(
            tree.home().group().id(), 1, 1, 0, 7, Identity.root(), large, 0, max + 1);
    ReadThrough.Asker asker = new ReadThrough.Asker(seat.client(), 3, message);
    assertThat(cache.take(asker, tree.view(), stored)).isFalse();
  }

  @Test
  void anInstanceThatEndsCachesNothing() {
    seat.follow(map(STORE.asEnding()));
    assertThat(take(asker(0, 50))).isFalse();
  }

  @Test
  void aHomeThatMayNotActCachesNothing() {
    tree.deactivate();
    assertThat(take(asker(0, 50))).isFalse();
  }

  @Test
  void onlyThePolicySaysWhetherReadsAreCached() {
    assertThat(cache.isWanted()).isTrue();
    assertThat(cache("last=3").isWanted()).isFalse();
  }

  @Test
  void aGroupWithoutRoomIsReplacedByOthersAndTheReaderIsServedAnywayInTheEnd() {
    ReadThrough.Asker asker = asker(0, 50);
    take(asker);
    Set<SeatId> homes = new HashSet<>();
    Set<Long> records = new HashSet<>();
    List<Sent> sent = seat.takeSent();
    for (int i = 0; i < 4; i++) {
      assertThat(served).isEmpty();
      homes.add(seat.seatOf(sent.getFirst()));
      records.add(put(sent.getFirst()).record().sequence());
      refuse(sent.getFirst(), ErrorCode.NO_SPACE);
      assertThat(seat.takeSent()).as("after a pause").isEmpty();
      seat.advance(AGAIN);
      sent = seat.takeSent();
    }
    assertThat(homes).hasSize(4);
    assertThat(sent).isEmpty();
    assertThat(records).as("each group gets a record of its own").hasSameSizeAs(homes);
    assertThat(served).containsExactly(asker);
    assertThat(tree.view().extentFrom(file, 0)).isNull();
  }

  @Test
  void aStoreThatFailsIsNotTriedThroughOtherGroups() {
    ReadThrough.Asker asker = asker(0, 50);
    take(asker);
    refuse(asked(), ErrorCode.FAILED);
    assertThat(served).containsExactly(asker);
    seat.advance(AGAIN);
    assertThat(seat.takeSent()).isEmpty();
  }

  @Test
  void aHomeThatStopsSendsItsReadersAwayAndAddsNothingMore() {
    ReadThrough.Asker asker = asker(0, 50);
    take(asker);
    Sent sent = asked();
    tree.takeProposed();
    cache.stop();
    Message answer = asked().message();
    assertThat(((Replies.Failed) answer).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    done(sent);
    assertThat(tree.takeProposed()).isEmpty();
    assertThat(served).isEmpty();
  }

  @Test
  void theSessionLivesAsLongAsThereIsWorkAndEndsWhenItIsIdle() {
    take(asker(0, 50));
    Sent sent = asked();
    tree.takeProposed();
    seat.sleep(2 * IDLE);
    cache.tick();
    assertThat(heard).hasSize(1);
    done(sent);
    seat.sleep(IDLE - 1);
    cache.tick();
    assertThat(heard).hasSize(2);
    changes();
    seat.sleep(1);
    cache.tick();
    assertThat(changes()).hasOnlyElementsOfType(Names.EndSession.class).hasSize(1);
    cache.tick();
    assertThat(heard).hasSize(2);
    assertThat(changes()).isEmpty();
  }

  @Test
  void afterItsSessionWasEndedTheNextPieceBeginsANewOne() {
    take(asker(0, 50));
    Sent sent = asked();
    long session = put(sent).record().session();
    tree.apply(new GroupCommand.ExpireSession(1, 0, session, 0));
    done(sent);
    assertThat(served).hasSize(1);
    assertThat(tree.view().extentFrom(file, 0)).isNull();
    changes();
    take(asker(0, 50));
    assertThat(changes()).hasOnlyElementsOfType(Names.BeginSession.class).hasSize(1);
    assertThat(put(asked()).record().session()).isNotEqualTo(session);
  }
}
