// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.WrappedStore;
import io.forebay.backing.discard.NullStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriterAttemptsTest {
  private static final Attempt ATTEMPT = attempt(1);

  private long nanos = 77;
  private boolean away;
  private int room = 1;
  private final List<String> released = new ArrayList<>();
  private final WriterAttempts attempts = new WriterAttempts(() -> nanos);

  private static Attempt attempt(int number) {
    return new Attempt(
        new AttemptPlan(
            new AttemptId("a" + number), BackingPath.of("file"), 10, FileAttributes.NONE),
        "handle");
  }

  /** Answers at once. */
  private final class DirectBacking implements Backing {
    private final BackingStore store =
        new WrappedStore(new NullStore()) {
          @Override
          protected <T> T call(long bytes, Operation<T> operation) throws BackingException {
            return operation.on(inner);
          }

          @Override
          public void release(Attempt attempt) throws BackingException {
            if (away) throw new BackingException(new BackingFailure.Unavailable("away"));
            released.add(attempt.id().text());
          }
        };

    @Override
    public String description() {
      return store.description();
    }

    @Override
    public Capabilities capabilities() {
      return store.capabilities();
    }

    @Override
    public <T> void submit(Operation<T> operation, Completion<T> completion) {
      Answer<T> answer;
      try {
        answer = new Answer.Done<>(operation.on(store));
      } catch (BackingException e) {
        answer = new Answer.Failed<>(e.failure());
      }
      completion.completed(answer);
    }

    @Override
    public int poll() {
      return 0;
    }

    @Override
    public int pending() {
      return 0;
    }

    @Override
    public int room() {
      return room;
    }

    @Override
    public void await(long timeoutNanos) {}

    @Override
    public void close() {}
  }

  private final Backing backing = new DirectBacking();

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
    room = 0;
    attempts.over(ATTEMPT);
    room = 1;
    away = true;
    idle();
    away = false;
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
