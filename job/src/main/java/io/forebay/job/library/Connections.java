// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.failure.Failures;
import io.forebay.client.stage.Staging;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to instances, one for each instance and user. A program that polls its stages uses
 * the same one again; it is closed when it was not used for a while, or has failed. Any thread.
 */
final class Connections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /** Above this number, connections that are not in use are closed at once. */
  private static final int KEPT_MAX = 64;

  private static final long IDLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long SWEEP_SECONDS = 10;

  /** Whose connection to which instance. */
  record Key(String uri, boolean privateTree, long user, long group) {}

  /** What is done with a connection. */
  interface Use<T> {
    T with(Connection connection) throws IOException, CallFailed;
  }

  /** A connection with its use. Guarded by the map. */
  private static final class Kept {
    private final Connection connection;
    private int users;
    private long usedNanos;
    private boolean failed;

    Kept(Connection connection) {
      this.connection = connection;
    }

    boolean isIdle(long nowNanos) {
      return users == 0 && nowNanos - usedNanos > IDLE_NANOS_MAX;
    }
  }

  private final ForebayOptions options;
  private final Map<Key, Kept> kept = new HashMap<>();
  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("library-connections").factory());

  private final Future<?> sweeps;

  Connections(ForebayOptions options) {
    this.options = options;
    this.sweeps =
        sweeper.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  <T> T call(Key key, Use<T> use) throws IOException, CallFailed {
    boolean[] old = {false};
    try {
      return once(key, use, old);
    } catch (IOException e) {
      // An instance of that name was created again since.
      boolean gone = Failures.codeOf(e) == ErrorCode.UNKNOWN_INSTANCE;
      if (gone && old[0]) return once(key, use, old);
      throw e;
    }
  }

  private <T> T once(Key key, Use<T> use, boolean[] old) throws IOException, CallFailed {
    Kept taken = take(key);
    old[0] = taken != null;
    if (taken == null) taken = keep(key, connect(key));
    boolean failed = false;
    try {
      return use.with(taken.connection);
    } catch (IOException e) {
      failed = isConnectionsFault(Failures.codeOf(e));
      throw e;
    } finally {
      release(key, taken, failed);
    }
  }

  private static boolean isConnectionsFault(ErrorCode code) {
    return switch (code) {
      case UNKNOWN_INSTANCE, SESSION_ENDED, UNAVAILABLE, WRONG_CLUSTER, FAILED -> true;
      default -> false;
    };
  }

  private Connection connect(Key key) throws IOException {
    Identity user = new Identity((int) key.user, List.of((int) key.group));
    ForebayOptions own = options.withIdentity(user).withPrivateTree(key.privateTree);
    Forebay client = Forebay.connect(key.uri, own);
    try {
      return new Connection(client, Staging.of(client), new ReentrantLock());
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  /** The one that is there, in use from now on; or null. */
  private @Nullable Kept take(Key key) {
    synchronized (kept) {
      Kept there = kept.get(key);
      if (there != null) there.users++;
      return there;
    }
  }

  private Kept keep(Key key, Connection fresh) {
    Kept mine = new Kept(fresh);
    Kept used;
    synchronized (kept) {
      used = kept.computeIfAbsent(key, none -> mine);
      used.users++;
    }
    // Another call was faster.
    if (used != mine) end(fresh);
    return used;
  }

  private void release(Key key, Kept used, boolean failed) {
    List<Connection> over = new ArrayList<>();
    synchronized (kept) {
      used.users--;
      used.usedNanos = System.nanoTime();
      if (failed) {
        used.failed = true;
        kept.remove(key, used);
      }
      boolean alone = used.users == 0;
      if (alone && (used.failed || kept.size() > KEPT_MAX)) {
        kept.remove(key, used);
        over.add(used.connection);
      }
    }
    over.forEach(Connections::end);
  }

  private void sweep() {
    List<Connection> over = new ArrayList<>();
    synchronized (kept) {
      long now = System.nanoTime();
      kept.values()
          .removeIf(
              each -> {
                boolean idle = each.isIdle(now);
                if (idle) over.add(each.connection);
                return idle;
              });
    }
    over.forEach(Connections::end);
  }

  private static void end(Connection connection) {
    try {
      connection.staging().close();
      connection.client().close();
    } catch (IOException e) {
      LOG.debug("a connection was not closed in order", e);
    }
  }

  /** Closes all; calls that still use one fail. */
  @Override
  public void close() {
    sweeps.cancel(false);
    sweeper.shutdown();
    List<Connection> over = new ArrayList<>();
    synchronized (kept) {
      kept.values().forEach(each -> over.add(each.connection));
      kept.clear();
    }
    over.forEach(Connections::end);
  }
}
