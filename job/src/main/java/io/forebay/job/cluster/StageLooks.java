// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import io.forebay.job.service.JobService.StageProgress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at stages for callers that must have an answer at once. A look that takes longer goes on,
 * and the next caller gets its result; until then the stages count as running. Any thread.
 */
final class StageLooks implements AutoCloseable {
  static final Duration ANSWER_MAX = Duration.ofMillis(400);

  /** One look, which asks servers. */
  interface Look {
    StageProgress now() throws JobFailed;
  }

  private record Key(String token, Direction direction) {}

  private final Duration answerMax;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Key, Future<StageProgress>> looks = new HashMap<>();

  /**
   * No look is under way.
   *
   * @param answerMax how long callers wait
   */
  StageLooks(Duration answerMax) {
    this.answerMax = answerMax;
  }

  StageProgress look(String token, Direction direction, Look look) throws JobFailed {
    Key key = new Key(token, direction);
    Future<StageProgress> mine;
    synchronized (looks) {
      // Results that no caller came back for; this caller's own is for it.
      looks.entrySet().removeIf(each -> each.getValue().isDone() && !each.getKey().equals(key));
      mine = looks.computeIfAbsent(key, none -> threads.submit(look::now));
    }
    try {
      StageProgress progress = mine.get(answerMax.toMillis(), TimeUnit.MILLISECONDS);
      forget(key, mine);
      return progress;
    } catch (TimeoutException e) {
      return new StageProgress.Running();
    } catch (ExecutionException e) {
      forget(key, mine);
      if (e.getCause() instanceof JobFailed failed) throw failed;
      throw new IllegalStateException("a look at the stages of job " + token + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailed("interrupted while looking at stages", e);
    }
  }

  private void forget(Key key, Future<StageProgress> over) {
    synchronized (looks) {
      looks.remove(key, over);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
