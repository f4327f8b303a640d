// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Timers;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A step that only reads and fails ends its request, and is told of now and then. */
class ReadGuardTest {
  private long nanos;
  private final Timers timers = new Timers(() -> nanos);
  private final List<Throwable> told = new ArrayList<>();
  private final SeatEvents events =
      new SeatEvents() {
        @Override
        public void told(String sentence) {}

        @Override
        public void warned(String sentence) {}

        @Override
        public void requestFailed(String sentence, Throwable cause) {
          assertThat(sentence).contains("GetStatus");
          told.add(cause);
        }
      };
  private final ReadGuard guard = new ReadGuard(timers, events);

  private static Message overflow(int depth) {
    return depth < 0 ? new Replies.Done() : overflow(depth + 1);
  }

  private static Message broken() {
    throw new IllegalStateException("broken");
  }

  @Test
  void anAnswerIsPassedOn() {
    assertThat(guard.answer("GetStatus", Replies.Done::new)).isEqualTo(new Replies.Done());
    assertThat(guard.maybeAnswer("GetStatus", () -> null)).isNull();
  }

  @Test
  void whatFailsIsRefusedAndToldOnceInAWhile() {
    for (int i = 0; i < 3; i++) {
      assertThat(guard.answer("GetStatus", ReadGuardTest::broken))
          .isInstanceOfSatisfying(
              Replies.Failed.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.FAILED));
    }
    assertThat(told).hasSize(1);
    nanos += 11_000_000_000L;
    timers.runDue();
    assertThat(guard.maybeAnswer("GetStatus", () -> overflow(0)))
        .isInstanceOf(Replies.Failed.class);
    assertThat(told).hasSize(2);
  }

  @Test
  void withoutAServerItFailsWhereItIsFound() {
    ReadGuard strict = new ReadGuard(timers, SeatEvents.NONE);
    assertThatThrownBy(() -> strict.answer("GetStatus", ReadGuardTest::broken))
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("broken");
  }
}
