// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.client.job.Job;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import io.forebay.job.service.JobService.StageProgress;
import io.forebay.ring.RingMap;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that must have an answer at once get one, however long the manager and servers take. */
@Timeout(60)
class CachedViewTest {
  /** For answers that come by themselves, and for those that do not. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final Duration SHORT = Duration.ofMillis(1);

  private static ClusterView viewOf(String token) {
    Job job =
        new Job(
            token,
            1,
            1,
            "SLURM",
            Instant.EPOCH,
            "",
            List.of(),
            List.of(),
            List.of(),
            "",
            Job.Phase.BEGUN,
            Bytes.EMPTY);
    return ClusterView.of(new RingMap(1, 2, 3, List.of(), List.of(), List.of()), List.of(job));
  }

  @Test
  void callersGetTheLastViewWhileTheManagerIsSilent() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(1);
    CachedView.Source source =
        () -> {
          if (reads.incrementAndGet() > 1) await(answered);
          return viewOf("" + reads.get());
        };
    try (CachedView view = new CachedView(source, SHORT)) {
      view.awaitFirst(LONG);
      while (reads.get() < 2) assertThat(view.get().job("1")).isNotNull();
      assertThat(view.get().job("1")).isNotNull();
      answered.countDown();
      while (view.get().job("2") == null) Thread.onSpinWait();
      assertThat(view.get().job("1")).isNull();
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aManagerThatNeverAnsweredIsNamed() {
    try (CachedView view =
        new CachedView(
            () -> {
              throw new IOException("no manager listens");
            },
            LONG)) {
      assertThatThrownBy(view::get)
          .isInstanceOf(JobFailed.class)
          .hasMessageContaining("(no manager listens); start its manager");
    }
  }

  @Test
  void aChangeIsInTheViewOnceItWasAwaited() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    CachedView.Source source =
        () -> {
          if (reads.incrementAndGet() == 2) throw new IOException("the manager restarts");
          return viewOf("" + reads.get());
        };
    try (CachedView view = new CachedView(source, SHORT)) {
      view.awaitFirst(LONG);
      view.await(now -> now.job("3") != null);
      assertThat(view.get().job("3")).isNotNull();
    }
  }

  @Test
  void aLookThatTakesLongCountsAsRunningAndIsNotRepeated() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(1);
    StageLooks.Look slow =
        () -> {
          begun.incrementAndGet();
          try {
            await(answered);
          } catch (IOException e) {
            throw new JobFailed("interrupted", e);
          }
          return new StageProgress.Failed("no room");
        };
    try (StageLooks looks = new StageLooks(SHORT)) {
      assertThat(looks.look("1", Direction.IN, slow)).isEqualTo(new StageProgress.Running());
      assertThat(looks.look("1", Direction.IN, slow)).isEqualTo(new StageProgress.Running());
      answered.countDown();
      StageProgress last = looks.look("1", Direction.IN, slow);
      while (last.equals(new StageProgress.Running())) last = looks.look("1", Direction.IN, slow);
      assertThat(last).isEqualTo(new StageProgress.Failed("no room"));
      assertThat(begun).hasValue(1);
    }
  }
}
