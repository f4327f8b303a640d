// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.client.core.retry.Backoff;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the newest map: stays connected to a manager, which sends every new one, and accepts maps
 * from seats. A map of another cluster or with a lower epoch is refused.
 */
public final class MapKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(MapKeeper.class);

  /** How long to look for a manager at first: it may be about to start. */
  static final long GRACE_NANOS = 2_000_000_000L;

  private final Timers timers;
  private final Backoff backoff;
  private final long operationNanos;
  private final Link manager;
  private final List<Runnable> listeners = new ArrayList<>();
  private final CompletableFuture<RingMap> first = new CompletableFuture<>();
  private final TreeMap<Long, CompletableFuture<RingMap>> awaited = new TreeMap<>();

  /** Seats with a pending question. */
  private final Set<Link> askedSeats = new LinkedHashSet<>();

  private @Nullable RingMap map;
  private boolean asking;
  private boolean scheduled;
  private boolean closed;
  private int failures;

  /** Why the manager has answered without a map; null if it has not answered. */
  private @Nullable String withheld;

  private long startedNanos;

  MapKeeper(Timers timers, Backoff backoff, long operationNanos, Link manager) {
    this.timers = timers;
    this.backoff = backoff;
    this.operationNanos = operationNanos;
    this.manager = manager;
    manager.whenLost(this::askLater);
  }

  /**
   * Asks for the first map. Completes once, with the map or with the addresses that could not be
   * reached.
   */
  CompletableFuture<RingMap> start() {
    startedNanos = timers.nanos();
    ask();
    return first;
  }

  /** Called after every change of the map. */
  void listen(Runnable listener) {
    listeners.add(listener);
  }

  public @Nullable RingMap current() {
    return map;
  }

  /** The map; only to be called once there is one, from when on there always is. */
  public RingMap map() {
    if (map == null) throw new IllegalStateException("there is no map yet");
    return map;
  }

  /** Waits for a map of at least that epoch, which a seat has reported; fails after a timeout. */
  CompletableFuture<RingMap> at(long epoch) {
    if (map != null && map.epoch() >= epoch) return CompletableFuture.completedFuture(map);
    CompletableFuture<RingMap> future =
        awaited.computeIfAbsent(epoch, each -> new CompletableFuture<>());
    timers.after(
        operationNanos,
        () -> {
          awaited.remove(epoch, future);
          String why = "no map of epoch " + epoch + " came from the manager at ";
          future.completeExceptionally(
              RequestFailed.givenUp(why + manager.describe(), operationNanos));
        });
    ask();
    return future;
  }

  long epoch() {
    return map == null ? 0 : map.epoch();
  }

  long cluster() {
    return map == null ? 0 : map.cluster();
  }

  /** Asks the manager whether there is a newer map. */
  void ask() {
    if (asking || closed) return;
    asking = true;
    manager.send(
        new Maps.GetMap(epoch()),
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            asking = false;
            onAnswer(message);
          }

          @Override
          public void lost(Link.Loss loss) {
            asking = false;
            failures++;
            askLater();
          }
        });
  }

  /** Asks now if it would ask later: a manager leads that may have one. */
  void askNow() {
    if (scheduled) ask();
  }

  /** Asks a seat that seems to know more, in case no manager can be reached. */
  void askSeat(Link seat) {
    if (closed || !askedSeats.add(seat)) return;
    seat.send(
        new Maps.GetMap(epoch()),
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            askedSeats.remove(seat);
            if (message instanceof Maps.MapIs told) told(told);
          }

          @Override
          public void lost(Link.Loss loss) {
            // The manager is asked as well.
            askedSeats.remove(seat);
          }
        });
  }

  void close() {
    closed = true;
    manager.close("the client is closed");
  }

  private void onAnswer(Message message) {
    failures = 0;
    withheld = "the manager has no map yet; look whether all the seats it expects have started";
    if (message instanceof Maps.MapIs told) told(told);
    else if (message instanceof Replies.Failed failed) {
      LOG.debug("the manager gives no map: {}", failed.detail());
      withheld = "the manager gives no map: " + failed.detail();
      failures++;
      if (map == null && isFinal(failed.code())) {
        first.completeExceptionally(RequestFailed.of(failed));
        return;
      }
    }
    if (map == null) {
      failures++;
      askLater();
    }
  }

  /** Whether the client has not proved what it must, so that waiting is of no use. */
  private static boolean isFinal(ErrorCode code) {
    return code == ErrorCode.UNPROVED || code == ErrorCode.REFUSED;
  }

  private void askLater() {
    long allowedNanos =
        manager.isHopeless() ? Math.min(GRACE_NANOS, operationNanos) : operationNanos;
    if (map == null && timers.nanos() - startedNanos >= allowedNanos) {
      first.completeExceptionally(new RequestFailed(ErrorCode.UNAVAILABLE, why()));
      return;
    }
    if (scheduled || closed) return;
    scheduled = true;
    timers.after(
        backoff.nanos(failures),
        () -> {
          scheduled = false;
          ask();
        });
  }

  private String why() {
    return withheld != null ? withheld : "cannot reach a manager at " + manager.describeManagers();
  }

  /** A map from a manager or a seat, requested or not. */
  void told(Maps.MapIs told) {
    if (told.map().length() == 0) return;
    RingMap offered;
    try {
      offered = RingMapCodec.read(told.map());
    } catch (MalformedFields e) {
      LOG.warn("a map that cannot be read was sent: {}", e.getMessage());
      return;
    }
    if (map != null && offered.cluster() != map.cluster()) {
      LOG.warn(
          "a map of another cluster ({}, not {}) was sent and is ignored",
          Long.toHexString(offered.cluster()),
          Long.toHexString(map.cluster()));
      return;
    }
    if (map != null && offered.epoch() <= map.epoch()) return;
    map = offered;
    for (Runnable listener : List.copyOf(listeners)) listener.run();
    first.complete(offered);
    while (!awaited.isEmpty() && awaited.firstKey() <= offered.epoch()) {
      awaited.pollFirstEntry().getValue().complete(offered);
    }
  }
}
