// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.failure.Failures;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageNote;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the tasks that this server gets for stages of one instance, which another server walks
 * through. It looks for tasks, tells how far they are, and ends when there have been none for a
 * while. If it cannot read or report for {@link #ALONE_NANOS}, it stops all tasks: by the time that
 * others do them, it does nothing. A thread of its own.
 */
final class Helper implements Runnable {
  /** How long it goes on without the board. */
  static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Logger LOG = LoggerFactory.getLogger(Helper.class);
  private static final long LOOK_MILLIS = 25;
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final StagerConfig config;
  private final int instance;
  private final String name;
  private final BooleanSupplier wanted;

  /** By the key of the task. */
  private final Map<String, HelperTask> tasks = new TreeMap<>();

  /** By the id of the stage. */
  private final Map<String, HelperStage> stages = new HashMap<>();

  private long beat = new SecureRandom().nextLong();
  private long reportedNanos = System.nanoTime() - REPORT_NANOS;
  private long busyNanos = System.nanoTime();
  private Set<String> told = Set.of();

  /** The stages that are under way. */
  private List<String> open = List.of();

  /** For an instance; another one may get its name when it is gone. */
  Helper(StagerConfig config, int instance, String name, BooleanSupplier wanted) {
    this.config = config;
    this.instance = instance;
    this.name = name;
    this.wanted = wanted;
  }

  @Override
  public void run() {
    try (StageGround ground = StageGround.open(config, name)) {
      if (ground == null || ground.instance().id() != instance) return;
      try {
        help(ground);
      } finally {
        stopAll();
      }
      for (String id : ground.board().open()) ground.board().removeReport(id, config.server());
    } catch (IOException | UncheckedIOException e) {
      // The instance was destroyed: there is nothing left to stage.
      if (Failures.codeOf(e) == ErrorCode.UNKNOWN_INSTANCE) return;
      LOG.warn("no help with the stages of instance {}: {}", name, e.getMessage());
    }
  }

  private void help(StageGround ground) throws IOException {
    long reachedNanos = System.nanoTime();
    while (wanted.getAsBoolean() && System.nanoTime() - busyNanos < IDLE_NANOS) {
      try {
        look(ground);
        report(ground.board());
        reachedNanos = System.nanoTime();
      } catch (IOException | UncheckedIOException e) {
        if (System.nanoTime() - reachedNanos > ALONE_NANOS) throw e;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void look(StageGround ground) throws IOException {
    open = ground.board().open();
    Set<String> there = new HashSet<>();
    for (String id : open) there.addAll(ground.board().tasks(id, config.server()));
    tasks.entrySet().removeIf(each -> !there.contains(each.getKey()) && each.getValue().stop());
    for (String key : there) {
      if (!tasks.containsKey(key)) begin(ground, key);
    }
    if (!tasks.isEmpty()) busyNanos = System.nanoTime();
    else endStages();
  }

  private void begin(StageGround ground, String key) throws IOException {
    StageNote.Task task = ground.board().task(config.server(), key);
    if (task == null) return;
    String id = key.substring(0, key.indexOf('/'));
    HelperStage stage = stages.get(id);
    if (stage == null) {
      StageNote.Job job = ground.board().job(id);
      if (job == null) return;
      stage = new HelperStage(id, job, Sides.open(ground, job));
      stages.put(id, stage);
    }
    tasks.put(key, stage.begin(key, task));
  }

  private void endStages() {
    stages.values().forEach(HelperStage::close);
    stages.clear();
  }

  private void report(StageBoard board) throws IOException {
    List<String> busy = new ArrayList<>();
    List<StageNote.Result> results = new ArrayList<>();
    for (Map.Entry<String, HelperTask> each : tasks.entrySet()) {
      StageNote.Result result = each.getValue().result();
      if (result == null) busy.add(each.getKey());
      else results.add(result);
    }
    boolean due = System.nanoTime() - reportedNanos >= REPORT_NANOS;
    Set<String> busyNow = new HashSet<>(busy);
    // New results and ended tasks are told at once.
    if (!due && busyNow.equals(told)) return;
    beat++;
    for (String id : open) {
      String of = id + "/";
      board.report(
          id,
          config.server(),
          new StageNote.Report(
              StageNote.VERSION,
              beat,
              busy.stream().filter(key -> key.startsWith(of)).toList(),
              results.stream().filter(each -> each.task().startsWith(of)).toList()));
    }
    told = busyNow;
    reportedNanos = System.nanoTime();
  }

  private void stopAll() {
    for (HelperTask task : tasks.values()) task.stop();
    endStages();
  }
}
