// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.seat.backing.DirectBacking;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriterAttemptsTest {
  private static final Attempt ATTEMPT = attempt(1);

  private long nanos = 77;
  private final WriterAttempts attempts = new WriterAttempts(() -> nanos);

  private static Attempt attempt(int number) {
    return new Attempt(
        new AttemptPlan(
            new AttemptId("a" + number), BackingPath.of("file"), 10, FileAttributes.NONE),
        "handle");
  }

  private final DirectBacking backing = new DirectBacking();
  private final List<String> released = backing.released();

  private void idle() {
    nanos += WriterAttempts.IDLE_NANOS;
    attempts.tick();
  }

  @Test
  void oneThatIsOverIsClosedWhenItsLastWriteIsAnswered() {
    attempts.writes(backing, ATTEMPT);
    attempts.writes(backing, ATTEMPT);
    attempts.wrote(ATTEMPT);
    attempts.over(ATTEMPT);
    assertThat(released).isEmpty();
    attempts.wrote(ATTEMPT);
    assertThat(released).containsExactly("a1");
    assertThat(attempts.size()).isZero();
  }

  @Test
  void oneThatNobodySpeaksOfIsClosedWhenItIsIdle() {
    attempts.writes(backing, ATTEMPT);
    idle();
    assertThat(released).as("a write is under way").isEmpty();
    attempts.wrote(ATTEMPT);
    nanos += WriterAttempts.IDLE_NANOS / 2;
    attempts.tick();
    assertThat(released).isEmpty();
    idle();
    assertThat(released).containsExactly("a1");
    assertThat(attempts.size()).isZero();
  }

  @Test
  void oneThatIsForcedNeedsNoClosing() {
    attempts.writes(backing, ATTEMPT);
    attempts.wrote(ATTEMPT);
    attempts.forced(ATTEMPT);
    attempts.over(ATTEMPT);
    idle();
    assertThat(released).isEmpty();
  }

  @Test
  void aStoreThatIsAwayOrBusyIsAskedAgain() {
    attempts.writes(backing, ATTEMPT);
    attempts.wrote(ATTEMPT);
    backing.setRoom(0);
    attempts.over(ATTEMPT);
    backing.setRoom(1);
    backing.fail(new BackingFailure.Unavailable("away"));
    idle();
    backing.fail(null);
    assertThat(released).isEmpty();
    idle();
    assertThat(released).containsExactly("a1");
  }

  @Test
  void thereAreNotMoreThanItsBound() {
    for (int i = 0; i <= WriterAttempts.OPEN_MAX; i++) {
      attempts.writes(backing, attempt(i));
      attempts.wrote(attempt(i));
    }
    nanos += WriterAttempts.IDLE_NANOS / 2;
    attempts.tick();
    assertThat(released).containsExactly("a0");
    assertThat(attempts.size()).isEqualTo(WriterAttempts.OPEN_MAX);
  }
}
