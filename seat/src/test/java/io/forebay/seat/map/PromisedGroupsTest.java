// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.ProtocolTimes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a seat records of leases (P13), so that its next process waits for them. */
class PromisedGroupsTest {
  private static final GroupId GROUP = SmallRing.id(2, 3);
  private static final long SOON_NANOS = 250_000_000;
  private static final long OVER_NANOS = ProtocolTimes.DEFAULT.lease().promiseNanos();

  private final PromisedGroups promised = new PromisedGroups();

  private static RingMap homeIs(int seat) {
    Group.Member[] members =
        seat == 4
            ? new Group.Member[] {current(4), current(3), current(2)}
            : new Group.Member[] {current(seat), current(3), current(4)};
    return SmallRing.of(4).group(2, 3, members).map();
  }

  /** A follower of one group, or of none. */
  private record Follows(Set<GroupId> groups, boolean mayHavePromised)
      implements MapMemory.Follower {
    static final Follows NOTHING = new Follows(Set.of(), false);

    @Override
    public void follow(RingMap newer) {}

    @Override
    public boolean mayHavePromisedAgainst(GroupId group, @Nullable SeatId home) {
      return mayHavePromised;
    }
  }

  @Test
  void aProcessThatFollowsNothingYetRecordsTheLeasesOfThePreviousOne() {
    promised.restore(List.of(), homeIs(4));
    promised.note(homeIs(4), Follows.NOTHING, SOON_NANOS);
    assertThat(promised.all()).isEmpty();
    promised.note(homeIs(2), Follows.NOTHING, SOON_NANOS);
    assertThat(promised.all()).containsExactly(GROUP);
    assertThat(promised.has(GROUP)).isTrue();
  }

  @Test
  void theRecordStaysWithFurtherMapsUntilTheLeasesAreOver() {
    promised.restore(List.of(GROUP), homeIs(2));
    promised.note(homeIs(2), Follows.NOTHING, SOON_NANOS);
    assertThat(promised.all()).containsExactly(GROUP);
    promised.note(homeIs(2), Follows.NOTHING, OVER_NANOS);
    assertThat(promised.all()).isEmpty();
  }

  @Test
  void aProcessDecidesItselfAboutGroupsThatItFollows() {
    promised.restore(List.of(GROUP), homeIs(4));
    promised.note(homeIs(2), new Follows(Set.of(GROUP), false), SOON_NANOS);
    assertThat(promised.all()).isEmpty();
    promised.note(homeIs(2), new Follows(Set.of(GROUP), true), OVER_NANOS);
    assertThat(promised.all()).containsExactly(GROUP);
  }

  @Test
  void aGroupThatIsGoneMayComeBackWithAnotherHome() {
    promised.restore(List.of(), homeIs(4));
    promised.note(SmallRing.of(4).map(), Follows.NOTHING, SOON_NANOS);
    assertThat(promised.all()).containsExactly(GROUP);
  }

  @Test
  void whereTheRecordIsLostEveryHomeMayHaveALease() {
    assertThat(promised.has(GROUP)).isFalse();
    promised.recordIsLost();
    assertThat(promised.has(GROUP)).isTrue();
    promised.note(homeIs(2), Follows.NOTHING, SOON_NANOS);
    assertThat(promised.all()).containsExactly(GROUP);
  }
}
