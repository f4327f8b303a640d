// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageNote;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stage on this server: runs it, records its progress, and ends it. Its own thread records the
 * progress and the end; the owner may stop it.
 */
final class StageRun implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(StageRun.class);

  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int LOOKS_PER_WRITE = 5;
  private static final Duration STOP_MAX = Duration.ofSeconds(2);

  private final StageGround ground;
  private final StageBoard board;
  private final String id;
  private final StageTally tally = new StageTally();
  private final Thread thread;
  private volatile boolean stopped;

  private StageRun(StageGround ground, String id) {
    this.ground = ground;
    this.board = ground.board();
    this.id = id;
    this.thread = Thread.ofPlatform().daemon().name("stage-" + id).unstarted(this);
  }

  static StageRun start(StageGround ground, String id) {
    StageRun run = new StageRun(ground, id);
    run.thread.start();
    return run;
  }

  boolean isOver() {
    return !thread.isAlive();
  }

  /** Abandons the stage without ending it: another server continues it, or this one later. */
  void stop() {
    stopped = true;
    tally.end();
    thread.interrupt();
  }

  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  @Override
  public void run() {
    try {
      StageNote.Job job = board.job(id);
      StageNote.Progress before = board.progress(id);
      if (job == null) {
        // The rest of a stage that was recorded in part.
        board.remove(id);
        return;
      }
      if (before.state().isOver()) {
        board.close(id);
        return;
      }
      boolean cancelled = board.isCancelled(id);
      if (cancelled && before.attempt() == 0) {
        board.end(id, tally.progress(StageStatus.State.CANCELLED, 0, "", now()));
        return;
      }
      board.forgetProblems(id);
      work(job, before.attempt() + 1, cancelled);
    } catch (IOException e) {
      if (!stopped) LOG.warn("stage {} is interrupted, and will go on: {}", id, e.getMessage());
    } catch (InterruptedException e) {
      // Stopped: the next server finds it as it was last recorded.
      Thread.currentThread().interrupt();
    }
  }

  private static long now() {
    return StageBoard.nanos(Instant.now());
  }

  private void work(StageNote.Job job, int attempt, boolean cancelled)
      throws IOException, InterruptedException {
    board.progress(id, progress(StageStatus.State.RUNNING, attempt, 0));
    // Of a server that worked on it before.
    if (attempt > 1) board.removeTasks(id);
    try (Sides sides = Sides.open(ground, job)) {
      StageWork.Order order = new StageWork.Order(id, attempt, job.request());
      StageWork work = new StageWork(order, sides.route(), sides.reasons(), tally, cancelled);
      LOG.info("stage {} of instance {} begins: {}", id, ground.instance().name(), job.request());
      StageWork.Others others = cancelled ? StageWork.Others.NONE : new OtherServers(ground, order);
      Thread worker =
          Thread.ofPlatform()
              .daemon()
              .name("stage-" + id + "-walk")
              .start(() -> runWork(work, job.request(), others));
      boolean ended = watch(worker, attempt) || cancelled;
      end(attempt, ended);
    }
  }

  private void runWork(StageWork work, StageRequest request, StageWork.Others others) {
    if (!request.isList()) {
      work.run(null, others);
      return;
    }
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(board.list(id), StandardCharsets.UTF_8))) {
      work.run(lines, others);
    } catch (IOException e) {
      tally.fail("the list cannot be read: " + e.getMessage());
    }
  }

  /** Until the work is done; says whether it was cancelled. */
  private boolean watch(Thread worker, int attempt) throws IOException, InterruptedException {
    boolean cancelled = false;
    StageNote.@Nullable Progress written = null;
    try {
      for (int looks = 1; !worker.join(LOOK); looks++) {
        if (looks % LOOKS_PER_WRITE != 1) continue;
        if (!cancelled && board.isCancelled(id)) {
          cancelled = true;
          tally.end();
        }
        StageNote.Progress now = progress(StageStatus.State.RUNNING, attempt, 0);
        if (now.equals(written)) continue;
        requireOwn(attempt);
        tally.writeProblems(board, id);
        board.progress(id, now);
        written = now;
      }
    } finally {
      // Copies in progress remove their temporary files.
      tally.end();
      worker.join(STOP_MAX);
    }
    return cancelled;
  }

  /** Another server continues it since this one was silent: that server's progress counts. */
  private void requireOwn(int attempt) throws IOException {
    if (board.progress(id).attempt() > attempt) {
      stopped = true;
      throw new IOException("another server continues the stage");
    }
  }

  private void end(int attempt, boolean cancelled) throws IOException {
    if (stopped) return;
    requireOwn(attempt);
    tally.writeProblems(board, id);
    StageStatus.State state =
        cancelled
            ? StageStatus.State.CANCELLED
            : tally.isWell() ? StageStatus.State.DONE : StageStatus.State.FAILED;
    StageNote.Progress last = progress(state, attempt, now());
    board.end(id, last);
    LOG.info(
        "stage {} of instance {} is {}: {} of {} files, {} failed",
        id,
        ground.instance().name(),
        state,
        last.filesDone(),
        last.files(),
        last.filesFailed());
  }

  private StageNote.Progress progress(StageStatus.State state, int attempt, long endedNanos) {
    return tally.progress(state, attempt, ground.config().server(), endedNanos);
  }
}
