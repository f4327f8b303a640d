// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.tree.backed.BackingCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackingFenceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long CHANGE = 5;
  private static final long ONE = 1;
  private static final long OTHER = 2;

  private long nanos = 77;

  /** What the journal says. */
  private @Nullable BackingCall known;

  private BackingFence fence(BackingFence.Sent sent, long process) {
    return new BackingFence(sent, process, () -> nanos);
  }

  /** Journals what the fence wants until it lets the change be sent or has it wait. */
  private boolean maySend(BackingFence fence) {
    while (true) {
      switch (fence.before(CHANGE, known)) {
        case BackingFence.Verdict.Note note -> known = note.call();
        case BackingFence.Verdict.Send send -> {
          fence.sends(CHANGE);
          return true;
        }
        case BackingFence.Verdict.Wait wait -> {
          return false;
        }
      }
    }
  }

  @Test
  void whatWasNeverSentIsSentAtOnceWhenTheJournalSaysSo() {
    BackingFence fence = fence(new BackingFence.Sent(), ONE);
    assertThat(maySend(fence)).isTrue();
    assertThat(known).isEqualTo(new BackingCall(CHANGE, ONE, 0));
    fence.answered(CHANGE, true);
    assertThat(fence.uncertainNanos(CHANGE)).isNotPositive();
    assertThat(fence.waitsFor(known, 0)).isEmpty();
  }

  @Test
  void callsOfAnotherProcessAreWaitedFor() {
    known = new BackingCall(CHANGE, OTHER, 0);
    BackingFence fence = fence(new BackingFence.Sent(), ONE);
    long until = nanos + BackingFence.LATE_NANOS_MAX;
    for (; nanos < until; nanos += SECOND / 2) assertThat(maySend(fence)).isFalse();
    assertThat(maySend(fence)).isTrue();
    assertThat(known).isEqualTo(new BackingCall(CHANGE, ONE, 0));
  }

  @Test
  void takeoversInARowDoNotBeginTheWaitAnew() {
    known = new BackingCall(CHANGE, OTHER, 0);
    int homes = 0;
    boolean sent = false;
    // Each home lives for three and a half seconds, in a process of its own.
    for (; !sent && homes < 100; homes++) {
      BackingFence fence = fence(new BackingFence.Sent(), 100 + homes);
      for (int i = 0; i < 7 && !sent; i++, nanos += SECOND / 2) sent = maySend(fence);
    }
    assertThat(homes).isBetween(9, 11);
  }

  @Test
  void aHomeThatDiesAfterItsCallIsWaitedForInFull() {
    known = new BackingCall(CHANGE, OTHER, BackingFence.LATE_NANOS_MAX);
    assertThat(maySend(fence(new BackingFence.Sent(), ONE))).isTrue();
    BackingFence next = fence(new BackingFence.Sent(), 3);
    assertThat(maySend(next)).isFalse();
    assertThat(next.waitsFor(known, 0)).contains("1970-01-01T00:00:30Z", "another took over");
    nanos += BackingFence.LATE_NANOS_MAX - SECOND;
    assertThat(maySend(next)).isFalse();
    assertThat(next.waitNanos(known)).isEqualTo(SECOND);
  }

  @Test
  void aLaterHomeInTheSameProcessWaitsForItsUnansweredCallsOnly() {
    BackingFence.Sent sent = new BackingFence.Sent();
    BackingFence first = fence(sent, ONE);
    assertThat(maySend(first)).isTrue();
    BackingFence second = fence(sent, ONE);
    assertThat(maySend(second)).isFalse();
    first.answered(CHANGE, true);
    assertThat(maySend(second)).isTrue();
    second.answered(CHANGE, true);
    assertThat(second.uncertainNanos(CHANGE)).isNotPositive();
  }

  @Test
  void anAnswerThatLeavesItOpenIsRememberedByTheProcess() {
    BackingFence.Sent sent = new BackingFence.Sent();
    BackingFence first = fence(sent, ONE);
    assertThat(maySend(first)).isTrue();
    first.answered(CHANGE, false);
    BackingFence second = fence(sent, ONE);
    assertThat(maySend(second)).as("made again it does nothing").isTrue();
    second.answered(CHANGE, true);
    assertThat(second.uncertainNanos(CHANGE)).isEqualTo(BackingFence.LATE_NANOS_MAX);
    assertThat(second.waitsFor(known, 0)).contains("did not answer");
    nanos += BackingFence.LATE_NANOS_MAX;
    assertThat(second.uncertainNanos(CHANGE)).isNotPositive();
  }
}
