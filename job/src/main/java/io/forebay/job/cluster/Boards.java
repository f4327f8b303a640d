// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.failure.Failures;
import io.forebay.client.job.Job;
import io.forebay.client.link.ClusterLink;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.Staging;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to the boards of stages, one for each instance and user. A batch system asks every
 * second for each job that is staged, so a connection stays open for a while after each use. One
 * that fails is closed. Any thread.
 */
final class Boards implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Boards.class);

  private static final long IDLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** What a caller does with a board. */
  interface Use<T> {
    T of(Staging staging) throws IOException;
  }

  /** What a caller does with an instance. */
  interface BufferUse<T> {
    T of(Forebay buffer) throws IOException;
  }

  private record Key(String instance, int user, int group) {}

  private record Board(Forebay buffer, Staging staging) {}

  private record Idle(Board board, long sinceNanos) {}

  private final ClusterLink link;
  private final Map<Key, List<Idle>> idle = new HashMap<>();

  Boards(ClusterLink link) {
    this.link = link;
  }

  /** Uses the board of an instance, as the user of a job. */
  <T> T with(Job job, String instance, Use<T> use) throws IOException {
    return withBoard(job, instance, board -> use.of(board.staging()));
  }

  /** Uses an instance, as the user of a job. */
  <T> T withBuffer(Job job, String instance, BufferUse<T> use) throws IOException {
    return withBoard(job, instance, board -> use.of(board.buffer()));
  }

  private interface BoardUse<T> {
    T of(Board board) throws IOException;
  }

  private <T> T withBoard(Job job, String instance, BoardUse<T> use) throws IOException {
    Key key = new Key(instance, job.user(), job.group());
    Board board = take(key, job);
    boolean sound = false;
    try {
      T result = use.of(board);
      sound = true;
      return result;
    } finally {
      if (sound) giveBack(key, board);
      else close(board);
    }
  }

  private Board take(Key key, Job job) throws IOException {
    try {
      return take(key);
    } catch (IOException e) {
      boolean own = key.instance().equals(job.instance());
      if (!own || Failures.codeOf(e) != ErrorCode.ACCESS_DENIED) throw e;
      speakFor(job);
      return take(key);
    }
  }

  /**
   * The manager lets the agent reach the job's instance that spoke last for its batch system. That
   * was another one: the batch system has moved to this machine.
   */
  private void speakFor(Job job) throws IOException {
    Cluster cluster = link.get();
    cluster.setNodes(job.token(), cluster.job(job.token()).nodes());
  }

  private Board take(Key key) throws IOException {
    closeIdle(IDLE_NANOS_MAX);
    synchronized (idle) {
      List<Idle> known = idle.get(key);
      if (known != null && !known.isEmpty()) return known.removeLast().board();
    }
    Identity user = new Identity(key.user(), List.of(key.group()));
    // No job runs on this machine as far as is known: it must get no private tree.
    Forebay buffer =
        Forebay.connect(
            link.instanceUri(key.instance()),
            StageBoard.options(link.options().withIdentity(user)));
    try {
      return new Board(buffer, Staging.of(buffer));
    } catch (IOException e) {
      buffer.close();
      throw e;
    }
  }

  private void giveBack(Key key, Board board) {
    synchronized (idle) {
      idle.computeIfAbsent(key, none -> new ArrayList<>()).add(new Idle(board, System.nanoTime()));
    }
  }

  /** Closes what was not used for longer than this. */
  private void closeIdle(long nanosMax) {
    List<Board> old = new ArrayList<>();
    long nowNanos = System.nanoTime();
    synchronized (idle) {
      for (List<Idle> each : idle.values()) {
        each.removeIf(
            one -> {
              if (nowNanos - one.sinceNanos() < nanosMax) return false;
              old.add(one.board());
              return true;
            });
      }
      idle.values().removeIf(List::isEmpty);
    }
    old.forEach(Boards::close);
  }

  private static void close(Board board) {
    try {
      board.staging().close();
      board.buffer().close();
    } catch (IOException e) {
      LOG.debug("closing a connection failed", e);
    }
  }

  @Override
  public void close() {
    closeIdle(0);
  }
}
