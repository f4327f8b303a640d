// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Registry;
import io.forebay.metrics.Samples;
import io.forebay.metrics.process.ProcessSource;
import io.forebay.seat.SeatFigures;
import java.util.ArrayList;
import java.util.List;

/** The metrics of servers, and the list of all that servers and managers tell. */
public final class ServerMetrics {
  private ServerMetrics() {}

  /** All metrics of servers and managers. */
  public static List<Metric> all() {
    List<Metric> all = new ArrayList<>(ProcessSource.METRICS);
    all.addAll(Registry.METRICS);
    all.add(LoopSource.ANSWERS);
    all.add(CertificateSource.EXPIRES);
    all.addAll(ManagerMetrics.METRICS);
    all.addAll(SeatMetrics.METRICS);
    all.addAll(InstanceMetrics.METRICS);
    return all;
  }

  /** Shows a seat of a server. */
  public static void show(Samples to, String server, String loop, SeatFigures figures) {
    SeatMetrics.show(to, server, loop, figures);
    InstanceMetrics.show(to, server, figures);
  }
}
