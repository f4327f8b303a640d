// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.client.Cluster;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.ring.LocalRing;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks the managers and every server again and again which map they have, while processes die. One
 * thread runs it; another one ends it.
 */
final class MapWatch implements Runnable {
  private static final long PAUSE_MILLIS = 100;

  private final LocalRing ring;
  private final SeenMaps maps;
  private final AtomicBoolean ending = new AtomicBoolean();

  MapWatch(LocalRing ring, SeenMaps maps) {
    this.ring = ring;
    this.maps = maps;
  }

  @Override
  public void run() {
    while (!ending.get()) {
      try (Cluster cluster = ring.connect()) {
        while (!ending.get()) {
          look(cluster);
          Thread.sleep(PAUSE_MILLIS);
        }
      } catch (IOException e) {
        // No manager leads at present: it connects again.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  void stop() {
    ending.set(true);
  }

  /** Looks at a ring that serves. */
  void lookOnce() throws IOException {
    try (Cluster cluster = ring.connect()) {
      look(cluster);
    }
  }

  private void look(Cluster cluster) throws IOException {
    RingMap map = cluster.map();
    maps.saw("the manager that leads", map);
    for (SeatEntry seat : map.seats()) {
      if (seat.away()) continue;
      try {
        maps.saw(seat.server(), cluster.seatMap(seat.id()));
      } catch (IOException e) {
        // It is dead or paused.
      }
    }
  }
}
