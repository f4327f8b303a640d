// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.use.Policies;
import io.forebay.seat.use.WriteCounting;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HomePutsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int BYTES = 100;
  private static final FileId FILE = new FileId(1, 5);
  private static final RecordId RECORD = new RecordId(9, 256);
  private static final SeatId SECOND_SEAT = new SeatId(2);
  private static final SeatId THIRD_SEAT = new SeatId(3);
  private static final long REQUEST = 77;

  private final TestSeat seat = new TestSeat();
  private final Connection client = seat.client();
  private final Set<Long> endedSessions = new HashSet<>();
  private final List<RecordId> owed = new ArrayList<>();
  private final List<RecordId> late = new ArrayList<>();
  private @Nullable HomePuts present;
  private long countedBytes;
  private boolean redirects;
  private @Nullable String refusal;

  private HomePuts puts(Group.Member... members) {
    RingMap map = SmallRing.of(3).group(1, 3, members).instance(3, false).map();
    seat.follow(map);
    present = puts(map.groups().getFirst());
    return present;
  }

  private HomePuts puts(Group group) {
    PutParts parts =
        new PutParts(
            seat.basics(),
            seat.links().peers(),
            seat.intake(),
            seat.holds(),
            new Overload(seat.basics(), seat.questions(), redirects),
            new CopyQueues(seat.basics(), seat.links().peers()),
            () -> "add servers",
            new Policies(seat.basics().maps()),
            id -> present);
    HomePuts.Ended ended =
        new HomePuts.Ended() {
          @Override
          public boolean isOver(long session, FileId file) {
            return endedSessions.contains(session);
          }

          @Override
          public void foundLate(RecordId record, FileId file) {
            late.add(record);
          }
        };
    WriteCounting counting =
        new WriteCounting() {
          @Override
          public void wrote(int instance, long bytes) {
            countedBytes += bytes;
          }

          @Override
          public String refusal(int instance) {
            return refusal;
          }
        };
    return new HomePuts(parts, group, ended, (record, forced) -> owed.add(record), counting);
  }

  private Landing arriving(HomePuts puts) {
    return arriving(puts, RECORD);
  }

  private Landing arriving(HomePuts puts, RecordId record) {
    Data.Put message =
        new Data.Put(
            SmallRing.id(1, 3),
            7,
            record,
            FILE,
            0,
            false,
            0,
            Checksums.of(BlockChecksums.of(ByteBuffer.allocate(BYTES))));
    return puts.arriving(client, REQUEST, message, BYTES);
  }

  private void put(HomePuts puts) {
    ((Landing.Into) arriving(puts)).arrival().filled();
  }

  private static void confirm(HomePuts puts, SeatId member, ErrorCode code) {
    puts.confirmed(new Data.Confirm(SmallRing.id(1, 3), 7, RECORD, member, code));
  }

  /** What the client was answered since the last call; what seats were sent is passed over. */
  private List<Message> answers() {
    return seat.takeSent().stream()
        .filter(sent -> sent.connection().equals(client))
        .map(Sent::message)
        .toList();
  }

  private List<SeatId> copiesSent() {
    return seat.takeSent().stream()
        .filter(sent -> sent.message() instanceof Data.Replicate)
        .map(seat::seatOf)
        .toList();
  }

  private void assertRefused(ErrorCode code) {
    List<Message> answers = answers();
    assertThat(answers).hasSize(1);
    assertThat(((Replies.Failed) answers.getFirst()).code()).isEqualTo(code);
  }

  @Test
  void isAcknowledgedWhenEveryCurrentMemberHasConfirmed() {
    HomePuts puts = puts(current(1), current(2), current(3));
    put(puts);
    assertThat(owed).containsExactly(RECORD);
    assertThat(copiesSent()).as("the next in the group's order").containsExactly(SECOND_SEAT);
    confirm(puts, THIRD_SEAT, ErrorCode.NONE);
    assertThat(answers()).isEmpty();
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    assertThat(answers()).containsExactly(new Data.PutDone(RECORD));
    assertThat(puts.underWay()).isZero();
  }

  /** Spare room comes last: other instances have nothing else. */
  @Test
  void aRecordIsRedirectedWhenItsInstanceHasUsedUpItsGranulesOfTheGroup() {
    redirects = true;
    RingMap ring =
        SmallRing.of(3)
            .group(1, 2, current(1), current(2))
            .group(2, 2, current(2), current(3))
            .instance(2, false)
            .map();
    Instance instance = ring.instances().getFirst();
    List<Allocation.Share> shares =
        List.of(new Allocation.Share(new SeatId(1), 1), new Allocation.Share(new SeatId(2), 1));
    Allocation allocation = new Allocation("", TestSeat.RECORD_BYTES, shares);
    Instance promised = instance.withAllocation(allocation, instance.seats());
    seat.follow(new RingMap(1, 1, 1, ring.seats(), ring.groups(), List.of(promised)));
    present = puts(ring.groups().getFirst());
    assertThat(arriving(present)).as("nothing is used").isInstanceOf(Landing.Into.class);
    seat.keep(FILE, SmallRing.id(1, 2));
    HomePuts next = puts(ring.groups().getFirst());
    assertThat(arriving(next, new RecordId(9, 512))).isEqualTo(Landing.DISCARD);
    assertThat(answers())
        .containsExactly(
            new Data.PutElsewhere(
                new RecordId(9, 512),
                SmallRing.id(2, 2),
                "the instance has used up its granules of group 1x2"));
  }

  @Test
  void membersThatAreBehindNeedNotConfirmUnlessTheyCount() {
    HomePuts puts = puts(current(1), current(2), behind(3));
    puts.count(2, true);
    put(puts);
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    assertThat(answers()).isEmpty();
    puts.count(2, false);
    assertThat(answers()).containsExactly(new Data.PutDone(RECORD));
  }

  @Test
  void aHomeWithoutOtherMembersAcknowledgesByItself() {
    put(puts(current(1), behind(2)));
    assertThat(answers()).containsExactly(new Data.PutDone(RECORD));
  }

  @Test
  void aRecordThatComesAgainIsAcknowledgedOnlyByNewConfirmations() {
    HomePuts puts = puts(current(1), current(2));
    put(puts);
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    assertThat(answers()).hasSize(1);
    assertThat(arriving(puts)).isEqualTo(Landing.DISCARD);
    assertThat(copiesSent()).containsExactly(SECOND_SEAT);
    assertThat(puts.underWay()).isEqualTo(1);
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    assertThat(answers()).containsExactly(new Data.PutDone(RECORD));
  }

  @Test
  void confirmationsOfAnEarlierEpochDoNotCount() {
    HomePuts puts = puts(current(1), current(2), current(3));
    put(puts);
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    answers();
    HomePuts next = puts(current(1), current(2), current(3));
    next.adopt(puts);
    assertThat(copiesSent()).containsExactly(SECOND_SEAT);
    confirm(next, THIRD_SEAT, ErrorCode.NONE);
    assertThat(answers()).isEmpty();
    confirm(next, SECOND_SEAT, ErrorCode.NONE);
    assertThat(answers()).containsExactly(new Data.PutDone(RECORD));
  }

  @Test
  void aMemberWithoutRoomIsToldToTheClientAtOnce() {
    HomePuts puts = puts(current(1), current(2));
    put(puts);
    answers();
    confirm(puts, SECOND_SEAT, ErrorCode.NO_SPACE);
    assertRefused(ErrorCode.NO_SPACE);
    assertThat(puts.underWay()).isZero();
  }

  @Test
  void otherRefusalsAreTriedAgainSoonAndToldAfterEight() {
    HomePuts puts = puts(current(1), current(2));
    put(puts);
    answers();
    confirm(puts, SECOND_SEAT, ErrorCode.STALE_EPOCH);
    seat.sleep(SECOND / 2 - 1);
    puts.redrive();
    assertThat(copiesSent()).isEmpty();
    seat.sleep(1);
    puts.redrive();
    assertThat(copiesSent()).containsExactly(SECOND_SEAT);
    for (int i = 0; i < 6; i++) confirm(puts, SECOND_SEAT, ErrorCode.STALE_EPOCH);
    assertThat(answers()).isEmpty();
    confirm(puts, SECOND_SEAT, ErrorCode.STALE_EPOCH);
    assertRefused(ErrorCode.STALE_EPOCH);
  }

  @Test
  void refusalsOfMembersThatAreBehindAreTheirRepairsConcern() {
    HomePuts puts = puts(current(1), current(2), behind(3));
    put(puts);
    answers();
    confirm(puts, THIRD_SEAT, ErrorCode.NO_SPACE);
    assertThat(answers()).isEmpty();
    assertThat(puts.underWay()).isEqualTo(1);
  }

  @Test
  void whatIsUnconfirmedIsSentAlongAgainAfterFiveSeconds() {
    HomePuts puts = puts(current(1), current(2));
    put(puts);
    assertThat(copiesSent()).hasSize(1);
    seat.sleep(5 * SECOND - 1);
    puts.redrive();
    assertThat(copiesSent()).isEmpty();
    seat.sleep(1);
    puts.redrive();
    assertThat(copiesSent()).hasSize(1);
  }

  @Test
  void whatWentAwayMeanwhileIsToBeSentAgain() {
    HomePuts puts = puts(current(1), current(2));
    put(puts);
    answers();
    seat.basics().store().kill(List.of(new Scope.Records(9, 256, 256)), Level.KEPT, answer -> {});
    seat.sleep(5 * SECOND);
    puts.redrive();
    assertRefused(ErrorCode.BUSY);
  }

  @Test
  void aSessionThatHasEndedWritesNothingMore() {
    HomePuts puts = puts(current(1), current(2));
    endedSessions.add(RECORD.session());
    assertThat(arriving(puts)).isEqualTo(Landing.DISCARD);
    assertRefused(ErrorCode.SESSION_ENDED);
    endedSessions.clear();
    Landing.Into into = (Landing.Into) arriving(puts);
    endedSessions.add(RECORD.session());
    into.arrival().filled();
    assertRefused(ErrorCode.SESSION_ENDED);
    assertThat(late).as("it is in the log, behind the search for such").containsExactly(RECORD);
  }

  @Test
  void bytesBehindTheLargestFileAreRefusedBeforeTheyAreTaken() {
    HomePuts puts = puts(current(1), current(2));
    protect("file-size=" + (BYTES - 1) + ",error");
    assertThat(arriving(puts)).isEqualTo(Landing.DISCARD);
    assertRefused(ErrorCode.TOO_LARGE);
    protect("file-size=" + BYTES + ",error");
    put(puts);
    answers();
    protect("file-size=1,error");
    assertThat(arriving(puts)).as("it was taken before").isEqualTo(Landing.DISCARD);
    assertThat(answers()).as("and is sent along again").isEmpty();
  }

  @Test
  void protectionRefusesOnlyWhatWasNotTaken() {
    HomePuts puts = puts(current(1), current(2));
    refusal = "too much was written";
    assertThat(arriving(puts)).isEqualTo(Landing.DISCARD);
    assertRefused(ErrorCode.READ_ONLY);
    assertThat(countedBytes).isZero();
    refusal = null;
    put(puts);
    answers();
    refusal = "too much was written";
    arriving(puts);
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    assertThat(answers()).hasSize(2).containsOnly(new Data.PutDone(RECORD));
    assertThat(countedBytes).as("each record counts once").isEqualTo(BYTES);
  }

  private void protect(String text) {
    RingMap map = seat.basics().maps().map();
    List<Instance> instances =
        map.instances().stream().map(each -> each.withProtection(text)).toList();
    seat.follow(
        new RingMap(
            map.cluster(), map.term(), map.epoch() + 1, map.seats(), map.groups(), instances));
  }

  @Test
  void aSeatThatIsHomeNoLongerSaysSo() {
    HomePuts puts = puts(current(1), current(2));
    put(puts);
    answers();
    puts.stop();
    assertRefused(ErrorCode.NOT_HOME);
    assertThat(puts.underWay()).isZero();
  }

  @Test
  void aMemberIsWaitedForOnceAllBeforeItHaveConfirmed() {
    HomePuts puts = puts(current(1), current(2), current(3));
    put(puts);
    assertThat(puts.waitsFor(1)).isTrue();
    assertThat(puts.waitsFor(2)).isFalse();
    confirm(puts, SECOND_SEAT, ErrorCode.NONE);
    assertThat(puts.waitsFor(1)).isFalse();
    assertThat(puts.waitsFor(2)).isTrue();
  }
}
