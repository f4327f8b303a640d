// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.batch;

import io.forebay.job.datawarp.Registry;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the jobs that their batch system has forgotten, in rounds:
 *
 * <ol>
 *   <li>It lists the jobs of the cluster that the batch system has begun and that do not end yet.
 *       Without any, there is nothing to ask for.
 *   <li>It asks the batch system for its jobs. In this order, no job that begins meanwhile is taken
 *       for a forgotten one.
 *   <li>It ends those that {@link ForgottenJobs} names. Results that are due are staged out first.
 * </ol>
 *
 * It has a thread of its own.
 */
public final class JobSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobSweep.class);

  /** As often as Slurm asks for pools; a list of all jobs is some work for a batch system. */
  public static final Duration PACE = Duration.ofSeconds(30);

  private final JobService service;
  private final BatchQueue queue;
  private final Duration pace;
  private final ForgottenJobs forgotten;
  private final Thread thread;
  private String complaint = "";

  /**
   * A sweep that has not begun.
   *
   * @param pace between two rounds
   */
  public JobSweep(JobService service, BatchQueue queue, Duration pace) {
    this.service = service;
    this.queue = queue;
    this.pace = pace;
    this.forgotten = new ForgottenJobs((ForgottenJobs.LISTS_MIN - 1) * pace.toNanos());
    this.thread = Thread.ofPlatform().daemon().name("agent-sweep").unstarted(this::run);
  }

  /** Begins with the rounds. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        TimeUnit.NANOSECONDS.sleep(pace.toNanos());
        round();
      }
    } catch (InterruptedException e) {
      LOG.debug("the sweep of jobs ends");
    }
  }

  private void round() throws InterruptedException {
    try {
      List<String> begun = begun();
      Set<String> live = begun.isEmpty() ? Set.of() : queue.live();
      for (String token : forgotten.next(begun, live, System.nanoTime())) end(token);
      complain("");
    } catch (IOException | JobFailed e) {
      forgotten.startOver();
      complain("forgotten jobs cannot be found: " + e.getMessage());
    } catch (RuntimeException e) {
      forgotten.startOver();
      LOG.error("a sweep of jobs failed", e);
    }
  }

  private List<String> begun() throws JobFailed {
    return service.registry().sessions().stream()
        .filter(each -> each.creator().equals(queue.creator()) && !each.state().ending())
        .map(Registry.Session::token)
        .toList();
  }

  private void end(String token) {
    LOG.warn("the batch system has forgotten job {}: its buffer ends", token);
    try {
      service.end(token, false);
    } catch (JobFailed e) {
      LOG.warn("job {} does not end, and is tried again: {}", token, e.sentence());
    }
  }

  private void complain(String sentence) {
    if (!sentence.isEmpty() && !sentence.equals(complaint)) LOG.warn("{}", sentence);
    complaint = sentence;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
