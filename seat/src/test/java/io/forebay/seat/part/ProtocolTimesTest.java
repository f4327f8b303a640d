// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.forebay.drain.pace.DrainYield;
import org.junit.jupiter.api.Test;

class ProtocolTimesTest {
  private static final ProtocolTimes TIMES = ProtocolTimes.DEFAULT;

  @Test
  void aLeaseOutlivesTwoLostRenewals() {
    ProtocolTimes.Lease lease = TIMES.lease();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ProtocolTimes.Lease(
                    lease.lengthNanos(), lease.marginNanos(), lease.lengthNanos() / 3 + 1))
        .withMessageContaining("renewals");
  }

  @Test
  void theMarginCoversClocksOfDifferentSpeeds() {
    ProtocolTimes.Lease lease = TIMES.lease();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProtocolTimes.Lease(lease.lengthNanos(), 0, lease.renewNanos()))
        .withMessageContaining("margin");
  }

  @Test
  void aTickRenewsLeasesInTime() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ProtocolTimes(
                    TIMES.lease().renewNanos(),
                    TIMES.lease(),
                    TIMES.silence(),
                    TIMES.manager(),
                    TIMES.requests()))
        .withMessageContaining("ticks");
  }

  @Test
  void drainsArePacedByTheSameTick() {
    assertThat(DrainYield.TICK_NANOS).isEqualTo(TIMES.tickNanos());
  }
}
