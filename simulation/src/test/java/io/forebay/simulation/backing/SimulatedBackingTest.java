// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.base.FileId;
import io.forebay.base.Timers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The simulated store keeps open what a directory store keeps open. */
class SimulatedBackingTest {
  private static final long STEP_NANOS = 100_000_000;
  private static final int STEPS_MAX = 100;

  private final AttemptId id = AttemptId.of(1, new FileId(1, 2), 3, 1);
  private final SimulatedBackingStore store = new SimulatedBackingStore();
  private long nanos;
  private final Timers timers = new Timers(() -> nanos);
  private final BackingFaults faults = new BackingFaults(timers, store);
  private final SimulatedBacking backing =
      new SimulatedBacking(store, faults, "host", new SplittableRandom(1));

  @Test
  void anAbortThatIsRefusedClosesTheAttempt() {
    Attempt attempt = written();
    assertThat(backing.open()).containsExactly(id.text());
    faults.refuse(new BackingFailure.Unavailable("away"));
    Backing.Answer<Boolean> aborted =
        answer(
            to -> {
              to.abort(attempt);
              return true;
            });
    assertThat(aborted).isInstanceOf(Backing.Answer.Failed.class);
    assertThat(store.attempts()).containsExactly(id);
    assertThat(backing.open()).isEmpty();
  }

  private Attempt written() {
    Backing.Answer<Attempt> begun =
        answer(
            to -> {
              Attempt attempt =
                  to.begin(new AttemptPlan(id, BackingPath.of("file"), 4, FileAttributes.NONE));
              to.write(attempt, 0, List.of(ByteBuffer.allocate(4)));
              return attempt;
            });
    return ((Backing.Answer.Done<Attempt>) begun).value();
  }

  private <T> Backing.Answer<T> answer(Backing.Operation<T> operation) {
    List<Backing.Answer<T>> answers = new ArrayList<>();
    backing.submit(operation, answers::add);
    for (int step = 0; answers.isEmpty() && step < STEPS_MAX; step++) {
      nanos += STEP_NANOS;
      timers.runDue();
      backing.poll();
    }
    return answers.getFirst();
  }
}
