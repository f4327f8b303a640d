// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.seat.manager.state.SmallRing;
import org.junit.jupiter.api.Test;

class SlowMemberBackoffTest {
  private static final GroupId GROUP = SmallRing.id(1, 2);
  private static final SeatId SEAT = new SeatId(2);

  // A monotonic clock may start anywhere, and go over the largest number.
  private long nanos = Long.MAX_VALUE - SlowMemberBackoff.FIRST_NANOS / 2;
  private final SlowMemberBackoff rests = new SlowMemberBackoff(new Timers(() -> nanos));

  @Test
  void eachRestIsTwiceAsLongUpToABound() {
    long expected = SlowMemberBackoff.FIRST_NANOS;
    for (int i = 0; i < 6; i++) {
      assertThat(rests.begin(GROUP, SEAT)).isEqualTo(expected);
      nanos += expected - 1;
      assertThat(rests.over(GROUP, SEAT)).isFalse();
      nanos++;
      assertThat(rests.over(GROUP, SEAT)).isTrue();
      expected = Math.min(2 * expected, SlowMemberBackoff.LONGEST_NANOS);
    }
    assertThat(expected).isEqualTo(SlowMemberBackoff.LONGEST_NANOS);
  }

  @Test
  void whoWasFastForLongBeginsAnew() {
    rests.begin(GROUP, SEAT);
    nanos += SlowMemberBackoff.FIRST_NANOS + SlowMemberBackoff.FORGIVEN_NANOS - 1;
    assertThat(rests.begin(GROUP, SEAT))
        .as("a moment too early")
        .isGreaterThan(SlowMemberBackoff.FIRST_NANOS);
    nanos += 2 * SlowMemberBackoff.FIRST_NANOS + SlowMemberBackoff.FORGIVEN_NANOS;
    assertThat(rests.begin(GROUP, SEAT)).isEqualTo(SlowMemberBackoff.FIRST_NANOS);
  }

  @Test
  void groupsAndMembersAreCountedApart() {
    rests.begin(GROUP, SEAT);
    assertThat(rests.begin(GROUP, new SeatId(3))).isEqualTo(SlowMemberBackoff.FIRST_NANOS);
    assertThat(rests.begin(SmallRing.id(2, 2), SEAT)).isEqualTo(SlowMemberBackoff.FIRST_NANOS);
    assertThat(rests.begin(GROUP, SEAT)).isEqualTo(2 * SlowMemberBackoff.FIRST_NANOS);
  }

  /** Another manager may have begun it. */
  @Test
  void aRestThatIsNotKnownBeginsWhenItIsLookedAt() {
    assertThat(rests.over(GROUP, SEAT)).isFalse();
    nanos += SlowMemberBackoff.FIRST_NANOS;
    assertThat(rests.over(GROUP, SEAT)).isTrue();
  }
}
