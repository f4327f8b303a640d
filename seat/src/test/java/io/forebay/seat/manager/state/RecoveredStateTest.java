// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.manager.state.CertificateBook.Issued;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Identity;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveredStateTest {
  private static final long NOW = 1_700_000_000;

  private static final Issued CERTIFICATE =
      new Issued(
          77,
          Role.SERVER,
          "s1",
          Bytes.EMPTY,
          Bytes.EMPTY,
          1_000_000,
          Long.MAX_VALUE,
          true,
          0,
          false);

  /** A ring of three servers, whose log a copy of the state stands for. */
  private static ManagerState formed() {
    ManagerState state = new ManagerState();
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(3, 1), 2));
    state.apply(new Command.EnterCertificate(CERTIFICATE, 1_000_000));
    state.apply(JobBookTest.begin("17"));
    return state;
  }

  private static ManagerState copy(ManagerState state) throws Exception {
    ManagerState copy = new ManagerState();
    copy.restore(state.snapshot());
    return copy;
  }

  private static ManagerState begun(RecoveredState recovered) throws Exception {
    ManagerState state = new ManagerState();
    state.restore(recovered.snapshot());
    state.apply(new Command.BeginTerm(state.term() + 1, 5));
    return state;
  }

  @Test
  void itHasTheMapOfTheSeatsAndAllElseOfTheLog() throws Exception {
    ManagerState state = formed();
    ManagerState log = copy(state);
    state.apply(ManagerStateTest.create("later", 2));
    ManagerState back = begun(RecoveredState.of(state.map(), log, NOW));
    assertThat(back.cluster()).isEqualTo(9);
    assertThat(back.map().instance("later")).isNotNull();
    assertThat(back.map().seats()).isEqualTo(state.map().seats());
    assertThat(back.certificates().revoked()).containsExactly(77L);
    assertThat(back.jobs().job("17")).isNotNull();
  }

  /** Maps that no seat has any more may have been made, by managers that led for a short time. */
  @Test
  void noEpochIsGivenTwice() throws Exception {
    ManagerState state = formed();
    RingMap known = state.map();
    // The lost past: more terms, in which groups changed.
    for (int i = 0; i < 20; i++) {
      state.apply(new Command.BeginTerm(state.term() + 1, 9));
      for (int start = 1; start <= 30; start++) {
        state.apply(
            new Command.SeatReturned(
                new Command.Arrival("s1", "host1", Offers.seat(1, 1, 1, 100L * i + start))));
      }
    }
    RecoveredState recovered = RecoveredState.of(known, new ManagerState(), NOW);
    ManagerState back = begun(recovered);
    assertThat(back.epoch()).isGreaterThan(state.epoch());
    assertThat(back.term()).isGreaterThan(state.term());
    for (Group group : back.map().groups()) {
      assertThat(group.epoch()).isGreaterThan(state.map().group(group.id()).epoch());
      assertThat(group.members()).isEqualTo(known.group(group.id()).members());
    }
    assertThat(back.issued(state.epoch())).as("a void map does not stop the manager").isTrue();
    assertThat(back.issued(back.epoch() + 1)).isFalse();
  }

  /** The lost past began with a recovery that only clients saw the maps of. */
  @Test
  void noEpochIsGivenTwiceIfARecoveredManagerIsLostBeforeASeatFollowedIt() throws Exception {
    RingMap known = formed().map();
    ManagerState lost = begun(RecoveredState.of(known, new ManagerState(), NOW));
    lost.apply(ManagerStateTest.create("lost", 2));
    ManagerState back = begun(RecoveredState.of(known, new ManagerState(), NOW + 5));
    assertThat(back.epoch()).isGreaterThan(lost.epoch());
    for (Group group : back.map().groups()) {
      assertThat(group.epoch()).isGreaterThan(lost.map().group(group.id()).epoch());
    }
  }

  @Test
  void whatIsMadeLaterHasNoNumberOfTheLostPast() throws Exception {
    ManagerState state = formed();
    RingMap known = state.map();
    state.apply(ManagerStateTest.create("lost", 2));
    int lost = state.map().instance("lost").id();
    state.apply(new Command.JoinRing(Offers.arrival(4, 1, 1), new SeatId(3)));
    long lostEpoch = state.map().groups().getLast().epoch();
    ManagerState back = begun(RecoveredState.of(known, new ManagerState(), NOW));
    back.apply(ManagerStateTest.create("new", 2));
    assertThat(back.map().instance("new").id()).isGreaterThan(lost);
    back.apply(new Command.JoinRing(Offers.arrival(5, 1, 1), new SeatId(3)));
    Group joined = back.map().groups().getLast();
    assertThat(joined.id()).isEqualTo(state.map().groups().getLast().id());
    assertThat(joined.epoch()).isGreaterThan(lostEpoch);
    back.apply(new Command.AddGroups(3));
    assertThat(back.map().groups())
        .allMatch(group -> group.epoch() >= 1000 * Terms.EPOCHS_PER_TERM);
  }

  @Test
  void itKnowsWhichInstancesHaveEnded() throws Exception {
    ManagerState state = formed();
    state.apply(ManagerStateTest.create("ended", 2));
    int ended = state.map().instance("ended").id();
    state.apply(new Command.DestroyInstance(Offers.op(), ended, Identity.ROOT));
    ManagerState back = begun(RecoveredState.of(state.map(), new ManagerState(), NOW));
    assertThat(back.map().ended()).isEqualTo(state.map().ended());
    back.apply(ManagerStateTest.create("new", 2));
    int later = back.map().instance("new").id();
    assertThat(later).isGreaterThan(ended);
    // Of numbers that may have been given in the lost past nothing is known.
    assertThat(back.map().ended().contains(later - 1)).isFalse();
  }

  @Test
  void jobsOfInstancesThatAreGoneGo() throws Exception {
    ManagerState state = formed();
    ManagerState log = copy(state);
    Instance own = state.map().instance("job-17");
    state.apply(new Command.DestroyInstance(Offers.op(), own.id(), Identity.ROOT));
    ManagerState back = begun(RecoveredState.of(state.map(), log, NOW));
    assertThat(back.jobs().all()).isEmpty();
    // The other way round: the instance is there, and its job is not.
    RecoveredState without = RecoveredState.of(log.map(), new ManagerState(), NOW);
    assertThat(without.lost()).anyMatch(sentence -> sentence.contains("'job-17'"));
    assertThat(without.lost()).anyMatch(sentence -> sentence.contains("all revocations"));
  }

  @Test
  void poolsKeepTheirSettingsAndTheirPromises() throws Exception {
    ManagerState state = new ManagerState();
    state.apply(new Command.BeginTerm(1, 9, 1 << 20));
    state.apply(new Command.FormRing(Offers.arrivals(3, 1), 2));
    ManagerState empty = copy(state);
    assertThat(RecoveredState.of(state.map(), empty, NOW).lost()).isNotEmpty();
    state.apply(ManagerStateTest.create("promised", 2, 64 << 20, false));
    ManagerState back = new ManagerState();
    back.restore(RecoveredState.of(state.map(), new ManagerState(), NOW).snapshot());
    back.apply(new Command.BeginTerm(back.term() + 1, 9, 8 << 20));
    assertThat(back.map().pools()).isEqualTo(state.map().pools());
    Instance promised = back.map().instance("promised");
    assertThat(promised.allocation()).isEqualTo(state.map().instance("promised").allocation());
    assertThat(promised.tenancy().accessEpoch()).isEqualTo(RecoveredState.ACCESS_EPOCHS_SKIPPED);
    assertThat(List.copyOf(back.map().pools()).getFirst().granuleBytes()).isEqualTo(1 << 20);
  }
}
