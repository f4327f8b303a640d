// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.MonotonicClock;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.failure.ForebayException;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits until a newly started cluster, or a part of it, serves, as its clients see it. */
public final class ClusterStart {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 20;
  private static final String HOME = "home";
  private static final String SERVING = "serving";

  private final MonotonicClock clock = MonotonicClock.system();
  private final long startNanos = clock.nanos();
  private final Cluster cluster;

  private ClusterStart(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits until all seats serve, and makes an instance if there is none of that name.
   *
   * @param instance null for none
   */
  public static void await(String uri, int seats, @Nullable String instance, int copies)
      throws StartFailed, IOException {
    await(uri, seats, instance, copies, ForebayOptions.defaults());
  }

  /** The same, connecting with these options. */
  public static void await(
      String uri, int seats, @Nullable String instance, int copies, ForebayOptions options)
      throws StartFailed, IOException {
    try (Cluster cluster = Cluster.connect(uri, options)) {
      ClusterStart start = new ClusterStart(cluster);
      start.awaitServing(seats);
      if (instance == null || cluster.map().instance(instance) != null) return;
      cluster.createInstance(instance, InstanceOptions.defaults().withCopies(copies));
      // An instance may bring groups of its own.
      start.awaitServing(seats);
    }
  }

  private void awaitServing(int seats) throws StartFailed, IOException {
    while (true) {
      String missing = missing(seats);
      if (missing == null) return;
      if (clock.nanos() - startNanos > PATIENCE.toNanos()) {
        throw new StartFailed(
            "the ring does not serve after %d s: %s".formatted(PATIENCE.toSeconds(), missing));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StartFailed("interrupted while the ring was formed", e);
      }
    }
  }

  /** What is still missing, or null. */
  private @Nullable String missing(int seats) throws IOException {
    RingMap map = cluster.map();
    if (map.seats().size() < seats) {
      return map.seats().size() + " of " + seats + " seats have come";
    }
    for (SeatEntry seat : map.seats()) {
      boolean missed = seat.stay() != SeatEntry.Stay.GONE && seat.stay() != SeatEntry.Stay.LEFT;
      if (!missed) continue;
      Statuses.SeatStatus status;
      try {
        status = cluster.seatStatus(seat.id());
      } catch (ForebayException silent) {
        return String.valueOf(silent.getMessage());
      }
      if (status.ringEpoch() < map.epoch()) return seat.id() + " has an older map";
      for (Statuses.GroupStatus group : status.groups()) {
        if (group.role().equals(HOME) && !group.state().equals(SERVING)) {
          return group.group() + " is " + group.state();
        }
      }
    }
    return null;
  }
}
