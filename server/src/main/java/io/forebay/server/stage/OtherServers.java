// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.base.SeatId;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageNote;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives work of a stage to the other servers of the instance.
 *
 * <ol>
 *   <li>When long work waits, or other work still waits after a moment, each server is called, once
 *       a second. It answers with a report.
 *   <li>A server that reports gets tasks, as many as it copies at a time and a few more.
 *   <li>Its report has the result of each task, which is counted, and the task is removed.
 *   <li>If its reports stop, its tasks are given to others. Long before, the server has stopped by
 *       itself, see {@link Helper}.
 *   <li>In the end all tasks are taken back, and the servers are awaited that still copy.
 * </ol>
 *
 * One thread.
 */
final class OtherServers implements StageWork.Others {
  private static final Logger LOG = LoggerFactory.getLogger(OtherServers.class);

  /** Small stages are over by then. */
  private static final long FIRST_MILLIS = 100;

  private static final long LOOK_MILLIS = 25;
  private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Tasks that wait at a server, so that it is never without. At the end none wait: another server
   * could begin them earlier.
   */
  private static final int AHEAD = 1;

  /** Twice as long as a server copies without being able to report. */
  private static final long LOST_NANOS = 2 * Helper.ALONE_NANOS;

  private static final long RECALL_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private static final class Server {
    final Map<String, Work> given = new HashMap<>();
    long calledNanos;
    boolean called;

    /** The last report's, and when it was seen; 0 before the first. */
    long beat;

    long heardNanos;

    /** Not used any more by this start of the stage. */
    boolean dropped;
  }

  private final StageGround ground;
  private final StageBoard board;
  private final StageWork.Order order;
  private final Map<String, Server> servers = new TreeMap<>();
  private int tasks;

  OtherServers(StageGround ground, StageWork.Order order) {
    this.ground = ground;
    this.board = ground.board();
    this.order = order;
  }

  @Override
  public void work(WorkQueue queue, StageTally tally) {
    try {
      for (queue.awaitLong(FIRST_MILLIS); !queue.isOver(); queue.awaitOver(LOOK_MILLIS)) {
        try {
          look(queue, tally);
        } catch (IOException | UncheckedIOException e) {
          LOG.warn("stage {}: other servers are not reached now: {}", order.id(), e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      recall();
    }
  }

  private void look(WorkQueue queue, StageTally tally) throws IOException {
    boolean wanted = queue.waiting() > 0;
    boolean used = servers.values().stream().anyMatch(each -> !each.given.isEmpty());
    if (!wanted && !used) return;
    for (Map.Entry<String, SeatId> other : ground.others().entrySet()) {
      Server server = servers.computeIfAbsent(other.getKey(), name -> new Server());
      if (!server.dropped) call(server, other.getValue());
    }
    for (Map.Entry<String, Server> each : servers.entrySet()) {
      Server server = each.getValue();
      if (server.dropped) continue;
      hear(each.getKey(), server, queue, tally);
      give(each.getKey(), server, queue);
    }
  }

  private void call(Server server, SeatId seat) {
    long now = System.nanoTime();
    if (server.called && now - server.calledNanos < CALL_NANOS) return;
    server.called = true;
    server.calledNanos = now;
    try {
      ground.call(seat);
    } catch (IOException e) {
      LOG.debug("{} does not answer: {}", seat, e.getMessage());
    }
  }

  private void hear(String name, Server server, WorkQueue queue, StageTally tally)
      throws IOException {
    StageNote.Report report = board.report(order.id(), name);
    long now = System.nanoTime();
    if (report != null && report.beat() != server.beat) {
      server.beat = report.beat();
      server.heardNanos = now;
    }
    if (report != null) {
      for (StageNote.Result result : report.results()) {
        Work work = server.given.remove(result.task());
        if (work == null) continue;
        board.removeTask(name, result.task());
        if (!result.unable().isEmpty()) cannot(name, server, result, tally);
        if (result.filesDone() + result.bytesCopied() > 0) tally.takesPart(name);
        work.done(result);
        queue.over();
      }
    }
    if (server.heardNanos == 0) return;
    if (report == null) {
      // It has stopped, and said so. When it is called it begins anew.
      server.heardNanos = 0;
      takeBack(name, server, queue);
    } else if (now - server.heardNanos > LOST_NANOS && !server.given.isEmpty()) {
      LOG.warn("stage {}: server {} is silent, others do its part", order.id(), name);
      server.dropped = true;
      takeBack(name, server, queue);
    }
  }

  private void cannot(String name, Server server, StageNote.Result result, StageTally tally) {
    if (server.dropped) return;
    server.dropped = true;
    tally.note(
        order.request().isList() ? order.id() : order.request().source(),
        "server %s did not take part: %s".formatted(name, result.unable()));
  }

  private void takeBack(String name, Server server, WorkQueue queue) throws IOException {
    for (Map.Entry<String, Work> each : Map.copyOf(server.given).entrySet()) {
      board.removeTask(name, each.getKey());
      server.given.remove(each.getKey());
      each.getValue().lost();
      queue.over();
    }
  }

  private void give(String name, Server server, WorkQueue queue) throws IOException {
    boolean reports =
        server.heardNanos != 0 && System.nanoTime() - server.heardNanos < Helper.ALONE_NANOS;
    if (!reports || server.dropped) return;
    int copies = order.request().concurrency();
    while (server.given.size() < copies + (isPlenty(queue) ? AHEAD : 0)) {
      WorkQueue.ForOther next = queue.takeForOther();
      if (next == null) return;
      String key = "%s/%d-%d".formatted(order.id(), order.attempt(), ++tasks);
      server.given.put(key, next.work());
      board.task(name, key, next.task());
    }
  }

  /** Whether there is more work than all servers can begin at once. */
  private boolean isPlenty(WorkQueue queue) {
    return queue.waiting() > order.request().concurrency() * (servers.size() + 1);
  }

  /** Takes all tasks back, and waits a while for servers that are still at one. */
  private void recall() {
    if (servers.values().stream().noneMatch(each -> each.called)) return;
    try {
      board.removeTasks(order.id());
      long endNanos = System.nanoTime() + RECALL_NANOS_MAX;
      for (Map.Entry<String, Server> each : servers.entrySet()) {
        while (isBusy(each.getKey(), each.getValue()) && System.nanoTime() - endNanos < 0) {
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("stage {}: tasks are not taken back: {}", order.id(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isBusy(String name, Server server) throws IOException {
    if (server.given.isEmpty()) return false;
    StageNote.Report report = board.report(order.id(), name);
    List<String> busy = report == null ? List.of() : report.busy();
    return busy.stream().anyMatch(key -> key.startsWith(order.id() + "/"));
  }
}
