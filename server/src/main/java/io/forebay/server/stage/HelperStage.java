// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageNote;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stage that this server helps with: its two sides, and threads for its tasks. One thread. */
final class HelperStage {
  private static final Logger LOG = LoggerFactory.getLogger(HelperStage.class);
  private static final long CLOSE_MILLIS_MAX = 2000;

  private final String id;
  private final StageNote.Job job;
  private final Sides sides;
  private final ExecutorService copies;

  HelperStage(String id, StageNote.Job job, Sides sides) {
    this.id = id;
    this.job = job;
    this.sides = sides;
    this.copies =
        Executors.newFixedThreadPool(
            job.request().concurrency(),
            Thread.ofPlatform().daemon().name("stage-" + id + "-help-", 1).factory());
  }

  HelperTask begin(String key, StageNote.Task what) {
    HelperTask task = new HelperTask(key, what, sides, job.request().replace());
    copies.execute(task);
    return task;
  }

  /** Its tasks are stopped. */
  void close() {
    copies.shutdown();
    try {
      if (!copies.awaitTermination(CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)) copies.shutdownNow();
      sides.close();
    } catch (IOException e) {
      LOG.warn("stage {} is left: {}", id, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
