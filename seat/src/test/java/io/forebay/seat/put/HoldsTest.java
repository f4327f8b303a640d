// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.TestSeat;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import org.junit.jupiter.api.Test;

class HoldsTest {
  private static final long HOLD_NANOS = 2_000_000_000L;
  private static final long REFUSING_NANOS = 100_000_000L;

  private final TestSeat seat = new TestSeat();
  private final Holds holds = new Holds(seat.basics().timers());
  private final Connection client = seat.client();

  @Test
  void aConnectionWaitsForTwoSeconds() {
    assertThat(holds.exhausted(client)).isFalse();
    assertThat(holds.count()).isEqualTo(1);
    seat.advance(HOLD_NANOS - 1);
    assertThat(holds.exhausted(client)).isFalse();
    seat.advance(1);
    assertThat(holds.exhausted(client)).isTrue();
    assertThat(holds.count()).isZero();
  }

  @Test
  void payloadsBehindOneThatWaitedInVainAreRefusedAtOnce() {
    holds.exhausted(client);
    seat.advance(HOLD_NANOS);
    holds.exhausted(client);
    seat.advance(REFUSING_NANOS - 1);
    assertThat(holds.exhausted(client)).isTrue();
    assertThat(holds.exhausted(seat.client())).as("another client").isFalse();
    seat.advance(1);
    assertThat(holds.exhausted(client)).isFalse();
  }

  @Test
  void roomEndsTheWaitAndTheRefusing() {
    holds.exhausted(client);
    assertThat(holds.over(client, Landing.DISCARD)).isEqualTo(Landing.DISCARD);
    assertThat(holds.count()).isZero();
    seat.advance(HOLD_NANOS);
    assertThat(holds.exhausted(client)).as("it waits anew").isFalse();
    seat.advance(HOLD_NANOS);
    holds.exhausted(client);
    holds.over(client, Landing.DISCARD);
    assertThat(holds.exhausted(client)).isFalse();
  }

  @Test
  void theTimeOfAllWaitsIsAddedUp() {
    holds.exhausted(client);
    seat.advance(300);
    holds.exhausted(seat.client());
    seat.advance(200);
    assertThat(holds.heldNanos()).as("two that wait").isEqualTo(700);
    holds.over(client, Landing.DISCARD);
    seat.advance(100);
    assertThat(holds.heldNanos()).as("one that waits").isEqualTo(800);
    holds.exhausted(client);
    seat.advance(50);
    holds.closed(client);
    holds.closed(client);
    assertThat(holds.heldNanos()).isEqualTo(900);
    seat.advance(HOLD_NANOS);
    long before = holds.heldNanos();
    holds.over(client, Landing.DISCARD);
    assertThat(holds.heldNanos()).as("it did not wait").isEqualTo(before);
  }

  @Test
  void connectionsThatAreGoneWaitForNothing() {
    holds.exhausted(client);
    holds.closed(client);
    assertThat(holds.count()).isZero();
    holds.exhausted(client);
    client.close("over");
    seat.advance(1_000_000);
    assertThat(holds.count()).as("found when it is resumed").isZero();
  }
}
