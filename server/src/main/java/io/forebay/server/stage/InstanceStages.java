// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.failure.Failures;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.StagesAtEnd;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on the stages of one instance for as long as this server is responsible. A thread of its
 * own.
 */
final class InstanceStages implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceStages.class);

  /** The number of ended stages that are remembered. */
  private static final int KEPT_MAX = 100;

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
    Instance instance = find();
    if (instance == null) return;
    String uri = new ForebayUri(config.managers(), name, "/").toString();
    // The notes belong to the owner; a server may read all of them.
    ForebayOptions options = config.options().withIdentity(Identity.root());
    try (Forebay connection = Forebay.connect(uri, StageBoard.options(instance, options))) {
      work(instance, connection);
    }
  }

  /** Asks the manager: attaching to a private instance would create a tree there. */
  private @Nullable Instance find() throws IOException {
    String uri = new ForebayUri(config.managers(), "", "/").toString();
    try (Cluster cluster = Cluster.connect(uri, config.options())) {
      return cluster.instances().stream()
          .filter(each -> each.name().equals(name))
          .findFirst()
          .orElse(null);
    }
  }

  private void work(Instance instance, Forebay connection) throws IOException {
    StageBoard board = new StageBoard(connection);
    StageRun.Ground ground = new StageRun.Ground(config, instance, connection, board);
    try {
      while (wanted.getAsBoolean()) {
        if (reap()) forgetOldest(board);
        boolean ends = connection.instance().drain().ending();
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
    List<StageStatus> over = new ArrayList<>();
    for (String id : board.all()) {
      StageStatus status = board.status(id);
      if (status != null && status.ended() != null) over.add(status);
    }
    over.sort(Comparator.comparing(StageStatus::created));
    for (int i = 0; i < over.size() - KEPT_MAX; i++) board.remove(over.get(i).id());
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
