// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import org.junit.jupiter.api.Test;

class AvoidedGroupsTest {
  private static final GroupId FIRST = GroupId.of(new SeatId(1), 2);
  private static final GroupId SECOND = GroupId.of(new SeatId(2), 2);

  private long nanos;
  private final AvoidedGroups detours = new AvoidedGroups(new Timers(() -> nanos));

  @Test
  void onePieceLooksAndTheOthersFollowIt() {
    detours.begin(FIRST, SECOND, 1);
    assertThat(detours.avoids(FIRST, 2)).isTrue();
    assertThat(detours.target(FIRST)).isEqualTo(SECOND);
    assertThat(detours.avoids(SECOND, 2)).isFalse();
    nanos += AvoidedGroups.FIRST_NANOS;
    assertThat(detours.avoids(FIRST, 3)).as("it looks").isFalse();
    assertThat(detours.avoids(FIRST, 4)).as("the others wait for its answer").isTrue();
    detours.taken(FIRST, 1);
    assertThat(detours.avoids(FIRST, 5)).as("an old answer says nothing").isTrue();
    detours.taken(FIRST, 3);
    assertThat(detours.avoids(FIRST, 6)).isFalse();
  }

  @Test
  void eachLookInVainDoublesTheTimeUntilTheNextUpToABound() {
    detours.begin(FIRST, null, 1);
    long length = AvoidedGroups.FIRST_NANOS;
    for (long piece = 2; piece < 12; piece++) {
      nanos += length;
      assertThat(detours.avoids(FIRST, piece)).isFalse();
      detours.begin(FIRST, null, piece);
      // Those that were under way before change nothing.
      detours.begin(FIRST, null, 1);
      length = Math.min(2 * length, AvoidedGroups.NANOS_MAX);
      nanos += length - 1;
      assertThat(detours.isAvoided(FIRST)).isTrue();
      nanos -= length - 1;
    }
    assertThat(length).isEqualTo(AvoidedGroups.NANOS_MAX);
  }

  @Test
  void aNewMapIsWorthALook() {
    detours.begin(FIRST, null, 1);
    detours.lookSoon();
    assertThat(detours.avoids(FIRST, 2)).isFalse();
    assertThat(detours.avoids(FIRST, 3)).isTrue();
  }
}
