// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static io.forebay.metrics.Metric.counter;
import static io.forebay.metrics.Metric.gauge;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.SeatFigures;
import io.forebay.seat.drain.Undrained;
import io.forebay.wire.message.Uses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the groups of a seat have taken of instances. The label is not called "instance": scrapers
 * give that name to the process.
 */
final class InstanceMetrics {
  /** Further instances are left out; the first ones in the order of their making are shown. */
  static final int INSTANCES_MAX = 256;

  private static final String[] LABELS = {"server", "seat", "buffer"};

  private static final List<Reading<Sum>> ALL =
      List.of(
          reading(
              counter(
                  "forebay_instance_written_bytes_total",
                  "Bytes that clients wrote to an instance, as its groups have counted them.",
                  LABELS),
              sum -> sum.writtenBytes),
          reading(
              counter(
                  "forebay_instance_read_bytes_total",
                  "Bytes that clients read from an instance.",
                  LABELS),
              sum -> sum.readBytes),
          reading(
              counter(
                  "forebay_instance_ssd_written_bytes_total",
                  "Bytes of an instance that were written to SSDs.",
                  LABELS),
              sum -> sum.ssdBytes),
          reading(
              gauge("forebay_instance_held_bytes", "What the files of an instance hold.", LABELS),
              sum -> sum.heldBytes),
          reading(
              counter(
                  "forebay_instance_new_files_total",
                  "Files that were created in an instance.",
                  LABELS),
              sum -> sum.filesCreated),
          reading(
              gauge(
                  "forebay_instance_window_bytes",
                  "Bytes that were written to an instance within its window of write protection.",
                  LABELS),
              sum -> sum.windowBytes),
          reading(
              gauge(
                  "forebay_instance_writes_refused",
                  "Whether write protection refuses writes to an instance.",
                  LABELS),
              sum -> Reading.flag(sum.writesOver)),
          reading(
              gauge(
                  "forebay_instance_files_refused",
                  "Whether write protection refuses new files of an instance.",
                  LABELS),
              sum -> Reading.flag(sum.filesOver)));

  private static final List<Reading<Undrained>> WAITING =
      List.of(
          new Reading<>(
              gauge(
                  "forebay_instance_undrained_files",
                  "Files of an instance that wait for their drain.",
                  LABELS),
              Undrained::files),
          new Reading<>(
              gauge(
                  "forebay_instance_undrained_bytes",
                  "Bytes of these files: the backing store does not have them all.",
                  LABELS),
              Undrained::bytes));

  private static final Metric OLDEST =
      gauge(
          "forebay_instance_undrained_oldest_seconds",
          "How long the oldest of these files has waited, as the present home has seen it.",
          LABELS);

  static final List<Metric> METRICS = metrics();

  private static final class Sum {
    long writtenBytes;
    long readBytes;
    long ssdBytes;
    long heldBytes;
    long filesCreated;
    long windowBytes;
    boolean writesOver;
    boolean filesOver;

    void add(Uses.GroupUse use) {
      writtenBytes += use.writtenBytes();
      readBytes += use.readBytes();
      ssdBytes += use.ssdBytes();
      heldBytes += use.heldBytes();
      filesCreated += use.filesCreated();
      windowBytes += use.windowBytes();
      writesOver |= use.isRoot() && use.verdict().writesOver();
      filesOver |= use.isRoot() && use.verdict().filesOver();
    }
  }

  private InstanceMetrics() {}

  private static List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(Reading.metrics(ALL));
    all.addAll(Reading.metrics(WAITING));
    all.add(OLDEST);
    return all;
  }

  private static Reading<Sum> reading(Metric metric, ToDoubleFunction<Sum> from) {
    return new Reading<>(metric, from);
  }

  /** The first instances of a map, which are shown. */
  static List<Instance> shown(RingMap map) {
    List<Instance> all = new ArrayList<>(map.instances());
    all.sort(Comparator.comparingInt(Instance::id));
    return all.subList(0, Math.min(INSTANCES_MAX, all.size()));
  }

  static void show(Samples to, String server, SeatFigures figures) {
    RingMap map = figures.map();
    if (map == null || !figures.status().hasPlace()) return;
    Map<Integer, Sum> sums = new HashMap<>();
    for (Uses.GroupUse use : figures.uses()) {
      sums.computeIfAbsent(use.instance(), key -> new Sum()).add(use);
    }
    String seat = Integer.toString(figures.status().seat().number());
    for (Instance instance : shown(map)) {
      Sum sum = sums.get(instance.id());
      if (sum != null) Reading.all(ALL, sum, to, server, seat, instance.name());
      if (!instance.drain().isNone()) showWaiting(to, server, seat, instance, figures.drains());
    }
  }

  /** All trees of an instance together. */
  private static void showWaiting(
      Samples to, String server, String seat, Instance instance, SeatFigures.Drains drains) {
    long files = 0;
    long bytes = 0;
    long oldestNanos = 0;
    for (Undrained each : drains.undrained()) {
      if (each.instance() != instance.id()) continue;
      files += each.files();
      bytes += each.bytes();
      oldestNanos = Math.max(oldestNanos, drains.nowNanos() - each.oldestNanos());
    }
    Undrained all = new Undrained(instance.id(), files, bytes, 0);
    Reading.all(WAITING, all, to, server, seat, instance.name());
    to.add(OLDEST, Reading.seconds(oldestNanos), server, seat, instance.name());
  }
}
