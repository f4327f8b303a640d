// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Timers;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfirmedLeadershipTest {
  private final PlayedGroup group = new PlayedGroup();
  private final LimitCounts limits = new LimitCounts();
  private final ConfirmedLeadership leadership =
      new ConfirmedLeadership(group, new Timers(() -> 0), limits);
  private final List<Boolean> answers = new ArrayList<>();

  @Test
  void noMoreThanSoManyWaitForAMajorityAndOthersAreCounted() {
    int all = Math.toIntExact(Limit.LEASE_REQUESTS.value());
    for (int i = 0; i < all; i++) leadership.whenKnown(answers::add);
    assertThat(answers).isEmpty();
    assertThat(limits.of(Limit.LEASE_REQUESTS)).isZero();
    leadership.whenKnown(answers::add);
    assertThat(answers).containsExactly(false);
    assertThat(limits.of(Limit.LEASE_REQUESTS)).isEqualTo(1);
    answers.clear();
    group.confirm(true);
    assertThat(answers).hasSize(all).containsOnly(true);
  }
}
