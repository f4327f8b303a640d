// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.failure.Failures;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.StagesAtEnd;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on the stages of one instance for as long as this server is responsible. A thread of its
 * own.
 */
final class InstanceStages implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceStages.class);

  /** The number of stages that are remembered after they succeeded. */
  private static final int DONE_KEPT_MAX = 100;

  /** The number of other ended stages: programs ask later what failed. */
  private static final int UNDONE_KEPT_MAX = 500;

  private static final long LOOK_MILLIS = 200;
  private static final long LOOK_AT_END_MILLIS = 500;
  private static final long AFTER_FAILURE_MILLIS = 1000;
  private static final long STOP_MILLIS_MAX = 2000;

  private final StagerConfig config;
  private final String name;
  private final Semaphore room;
  private final BooleanSupplier wanted;
  private final Map<String, StageRun> runs = new LinkedHashMap<>();

  /**
   * For an instance of that name.
   *
   * @param room the number of concurrent stages of the whole server; others wait
   * @param wanted whether this server is still responsible
   */
  InstanceStages(StagerConfig config, String name, Semaphore room, BooleanSupplier wanted) {
    this.config = config;
    this.name = name;
    this.room = room;
    this.wanted = wanted;
  }

  @Override
  public void run() {
    try {
      connectAndWork();
    } catch (IOException e) {
      told(e);
    } catch (UncheckedIOException e) {
      told(Reasons.cause(e));
    }
  }

  /** It is begun again when a seat names the instance the next time. */
  private void told(IOException e) {
    // The instance was destroyed: there is nothing left to stage.
    if (Failures.codeOf(e) == ErrorCode.UNKNOWN_INSTANCE) return;
    LOG.warn("stages of instance {} wait: {}", name, e.getMessage());
    pause(AFTER_FAILURE_MILLIS);
  }

  private void connectAndWork() throws IOException {
    try (StageGround ground = StageGround.open(config, name)) {
      if (ground != null) work(ground);
    }
  }

  private void work(StageGround ground) throws IOException {
    StageBoard board = ground.board();
    try {
      while (wanted.getAsBoolean()) {
        if (reap()) forgetOldest(board);
        boolean ends = ground.connection().instance().drain().ending();
        if (ends) StagesAtEnd.begin(board, Instant.now());
        List<String> open = board.open();
        for (String id : open) {
          if (runs.containsKey(id)) continue;
          if (!room.tryAcquire()) break;
          runs.put(id, StageRun.start(ground, id));
        }
        if (open.isEmpty() && runs.isEmpty() && (!ends || board.due().isEmpty())) return;
        if (!pause(ends ? LOOK_AT_END_MILLIS : LOOK_MILLIS)) return;
      }
    } finally {
      stopAll();
    }
  }

  /** Removes ended runs; returns whether there were any. */
  private boolean reap() {
    int before = runs.size();
    runs.values().removeIf(StageRun::isOver);
    room.release(before - runs.size());
    return runs.size() < before;
  }

  private static void forgetOldest(StageBoard board) throws IOException {
    List<StageStatus> all = new ArrayList<>();
    for (String id : board.all()) {
      StageStatus status = board.status(id);
      if (status != null) all.add(status);
    }
    for (String id : forgettable(all)) board.remove(id);
  }

  /** The oldest of those that are over, beyond the numbers that are remembered. */
  static List<String> forgettable(List<StageStatus> all) {
    List<StageStatus> done = new ArrayList<>();
    List<StageStatus> undone = new ArrayList<>();
    all.stream()
        .filter(status -> status.ended() != null)
        .sorted(Comparator.comparing(StageStatus::created))
        .forEach(each -> (each.state() == StageStatus.State.DONE ? done : undone).add(each));
    List<String> oldest = new ArrayList<>();
    for (int i = 0; i < done.size() - DONE_KEPT_MAX; i++) oldest.add(done.get(i).id());
    for (int i = 0; i < undone.size() - UNDONE_KEPT_MAX; i++) oldest.add(undone.get(i).id());
    return oldest;
  }

  private void stopAll() {
    for (StageRun run : runs.values()) run.stop();
    try {
      for (StageRun run : runs.values()) run.join(STOP_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      room.release(runs.size());
      runs.clear();
    }
  }

  /** False if it was interrupted. */
  private static boolean pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
