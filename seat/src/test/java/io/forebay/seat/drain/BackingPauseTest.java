// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingFailure;
import io.forebay.backing.RetryPace;
import io.forebay.seat.TestSeat;
import org.junit.jupiter.api.Test;

class BackingPauseTest {
  private static final long FIRST_NANOS = 1000;
  private static final long MAX_NANOS = 8000;
  private static final BackingFailure AWAY = new BackingFailure.Unavailable("away");

  private final TestSeat seat = new TestSeat();
  private final BackingPause pause =
      new BackingPause(
          seat.basics(), new RetryPace(FIRST_NANOS, MAX_NANOS, seat.basics().random()));

  /** How long the pause lasts that is on now. */
  private long lastsNanos() {
    long nanos = 0;
    while (pause.isOn()) {
      seat.sleep(1);
      nanos++;
    }
    return nanos;
  }

  @Test
  void isOnAfterAFailureThatConcernsAllFiles() {
    assertThat(pause.isOn()).isFalse();
    pause.failed(AWAY);
    assertThat(lastsNanos()).isBetween(FIRST_NANOS / 2, FIRST_NANOS);
    pause.failed(new BackingFailure.NoRoot("no bucket"));
    assertThat(lastsNanos()).isBetween(MAX_NANOS / 2, MAX_NANOS);
    pause.failed(new BackingFailure.WrongCredentials("who"));
    assertThat(pause.isOn()).isTrue();
  }

  @Test
  void aFileThatFailsAloneHoldsNoOtherBack() {
    pause.failed(new BackingFailure.NoSpace("a quota"));
    pause.failed(new BackingFailure.NoPermission("a directory"));
    pause.failed(new BackingFailure.Other("something"));
    assertThat(pause.isOn()).isFalse();
  }

  @Test
  void whatFailsDuringAPauseDoesNotCountAgain() {
    for (int i = 0; i < 100; i++) pause.failed(AWAY);
    assertThat(lastsNanos()).isLessThanOrEqualTo(FIRST_NANOS);
    pause.failed(AWAY);
    assertThat(lastsNanos()).isBetween(FIRST_NANOS, 2 * FIRST_NANOS);
  }

  @Test
  void successEndsItAndTheNextFailureIsAFirstOne() {
    for (int i = 0; i < 5; i++) {
      pause.failed(AWAY);
      lastsNanos();
    }
    pause.failed(AWAY);
    pause.worked();
    assertThat(pause.isOn()).isFalse();
    pause.failed(AWAY);
    assertThat(lastsNanos()).isLessThanOrEqualTo(FIRST_NANOS);
  }

  @Test
  void anOperatorMayEndItAndItsPaceGoesOn() {
    pause.failed(AWAY);
    pause.end();
    assertThat(pause.isOn()).isFalse();
    pause.failed(AWAY);
    assertThat(lastsNanos()).isGreaterThanOrEqualTo(FIRST_NANOS);
  }
}
