// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.ServingHome;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.message.Uses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a home counts, journals, reports and refuses. */
class HomeUseTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int INSTANCE = 1;
  private static final int MIB = 1 << 20;

  private final TestSeat seat = new TestSeat();
  private final GroupState state = new GroupState(SmallRing.id(2, 2));
  private final List<HomeView.Change> waiting = new ArrayList<>();
  private long index;
  private boolean journalStands;
  private HomeUse use;

  @BeforeEach
  void begin() {
    use = use("window=10MiB/24h,error");
  }

  private HomeUse use(String protection) {
    Group.Member one = new Group.Member(new SeatId(1), 1, true);
    Group.Member two = new Group.Member(new SeatId(2), 1, true);
    RingMap map =
        SmallRing.of(2).group(1, 2, two, one).group(2, 2, one, two).instance(2, false).map();
    List<Instance> instances =
        map.instances().stream().map(each -> each.withProtection(protection)).toList();
    seat.follow(
        new RingMap(map.cluster(), map.term(), map.epoch(), map.seats(), map.groups(), instances));
    Group group = map.group(SmallRing.id(2, 2));
    ServingHome home = new ServingHome(group, state, this::propose);
    return new HomeUse(
        new UseParts(seat.basics(), seat.questions(), new Policies(seat.basics().maps())), home);
  }

  private void propose(GroupCommand command, HomeView.Change change) {
    if (journalStands) waiting.add(change);
    else change.applied(state.apply(++index, command));
  }

  private void tick(long nanos) {
    seat.advance(nanos);
    use.tick();
  }

  private long journalled() {
    return state.uses().of(INSTANCE) == null ? 0 : state.uses().of(INSTANCE).writtenBytes();
  }

  private List<Sent> reports() {
    return seat.takeSent().stream().filter(sent -> sent.message() instanceof Uses.Report).toList();
  }

  @Test
  void countsAreJournalledEachSecondWhileTheyChange() {
    use.wrote(INSTANCE, 5);
    use.wrote(INSTANCE, 6);
    tick(SECOND - 1);
    assertThat(journalled()).isZero();
    tick(1);
    assertThat(journalled()).isEqualTo(11);
    long entries = index;
    tick(SECOND);
    tick(SECOND);
    assertThat(index).isEqualTo(entries);
  }

  @Test
  void manyBytesAreJournalledAtOnce() {
    use.wrote(INSTANCE, HomeUse.JOURNAL_BYTES);
    tick(1);
    assertThat(journalled()).isEqualTo(HomeUse.JOURNAL_BYTES);
  }

  @Test
  void readsAreJournalledNowAndThen() {
    seat.basics().counters().got(INSTANCE, 7);
    tick(SECOND);
    assertThat(index).isZero();
    tick(HomeUse.QUIET_NANOS);
    assertThat(state.uses().of(INSTANCE).readBytes()).isEqualTo(7);
  }

  @Test
  void theHomeOfTheRootHearsOfItOnceForEachChange() {
    use.wrote(INSTANCE, 5);
    tick(SECOND);
    List<Sent> sent = reports();
    assertThat(sent).hasSize(1);
    assertThat(seat.seatOf(sent.getFirst())).isEqualTo(new SeatId(2));
    Uses.Report report = (Uses.Report) sent.getFirst().message();
    assertThat(report.from()).isEqualTo(SmallRing.id(2, 2));
    assertThat(report.buckets()).hasSize(1);
    assertThat(report.buckets().getFirst().bytes()).isEqualTo(5);
    sent.getFirst().answer(Uses.Verdict.NONE);
    tick(SECOND);
    assertThat(reports()).isEmpty();
    use.wrote(INSTANCE, 1);
    tick(SECOND);
    assertThat(reports()).hasSize(1);
  }

  @Test
  void bytesOnTheirWayIntoTheJournalAreReported() {
    journalStands = true;
    use.wrote(INSTANCE, 5);
    tick(SECOND);
    use.wrote(INSTANCE, 6);
    Uses.GroupUse told = use.uses(0, new InstanceVerdicts(parts())).getFirst();
    assertThat(told.writtenBytes()).isEqualTo(11);
    assertThat(told.windowBytes()).isEqualTo(11);
  }

  private UseParts parts() {
    return new UseParts(seat.basics(), seat.questions(), new Policies(seat.basics().maps()));
  }

  @Test
  void nothingIsTakenWhileTheVerdictIsSo() {
    use.wrote(INSTANCE, 5);
    assertThat(use.refusal(INSTANCE)).isNull();
    tick(SECOND);
    reports().getFirst().answer(new Uses.Verdict(true, 1_000_000, 11L * MIB, false));
    assertThat(use.refusal(INSTANCE))
        .contains("has taken 11 MiB within 1d")
        .contains("allows 10 MiB, until 1970-01-01T00:16:40Z");
    assertThat(use.refusal(2)).isNull();
    tick(SECOND);
    List<Sent> again = reports();
    assertThat(again).as("it asks when that ends").hasSize(1);
    again.getFirst().answer(Uses.Verdict.NONE);
    assertThat(use.refusal(INSTANCE)).isNull();
  }

  @Test
  void whatOnlyLogsRefusesNothing() {
    use = use("window=10MiB/24h,log");
    use.wrote(INSTANCE, 5);
    tick(SECOND);
    reports().getFirst().answer(new Uses.Verdict(true, 1_000_000, 11L * MIB, true));
    assertThat(use.refusal(INSTANCE)).isNull();
    assertThat(use.filesUsedUp(INSTANCE)).isTrue();
  }

  @Test
  void anUnprotectedInstanceIsCountedAndNotReported() {
    use = use("");
    use.wrote(INSTANCE, 5);
    tick(SECOND);
    assertThat(journalled()).isEqualTo(5);
    assertThat(reports()).isEmpty();
  }

  @Test
  void theNextEpochOfTheSameHomeForgetsNothing() {
    use.wrote(INSTANCE, 5);
    HomeUse next = use("window=10MiB/24h,error");
    next.adopt(use);
    use = next;
    tick(SECOND);
    assertThat(journalled()).isEqualTo(5);
  }

  /** Such as one that waited for a snapshot, or for room in the log. */
  @Test
  void theNextEpochOfTheSameHomeCountsWhatDidNotComeIntoTheJournal() {
    journalStands = true;
    seat.basics().counters().got(INSTANCE, 7);
    use.wrote(INSTANCE, 5);
    tick(HomeUse.QUIET_NANOS);
    assertThat(waiting).hasSize(1);
    waiting.getFirst().dropped();
    journalStands = false;
    HomeUse next = use("window=10MiB/24h,error");
    next.adopt(use);
    use = next;
    tick(HomeUse.QUIET_NANOS);
    assertThat(journalled()).isEqualTo(5);
    assertThat(state.uses().of(INSTANCE).readBytes()).isEqualTo(7);
  }

  /** The next epoch finds it in the journal, and applies it there. */
  @Test
  void theNextEpochOfTheSameHomeDoesNotCountAgainWhatIsInTheJournal() {
    journalStands = true;
    use.wrote(INSTANCE, 5);
    tick(SECOND);
    waiting.getFirst().applied(null);
    journalStands = false;
    HomeUse next = use("window=10MiB/24h,error");
    next.adopt(use);
    use = next;
    tick(SECOND);
    assertThat(journalled()).isZero();
  }
}
