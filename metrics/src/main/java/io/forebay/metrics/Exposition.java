// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics;

import io.forebay.base.latency.Latencies;
import io.forebay.base.latency.LatencyHistogram;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes samples in the text format that a scraper accepts. */
public final class Exposition {
  /** An answer to a scraper. */
  public record Text(String contentType, String text) {}

  private static final double SECOND_NANOS = 1e9;
  private static final ExpositionFormatWriter OPEN_METRICS = OpenMetricsTextFormatWriter.create();
  private static final ExpositionFormatWriter PROMETHEUS = PrometheusTextFormatWriter.create();
  private static final double[] BOUNDS_SECONDS = boundsSeconds();

  private Exposition() {}

  private static double[] boundsSeconds() {
    double[] bounds = new double[LatencyHistogram.BUCKETS];
    for (int i = 0; i < bounds.length - 1; i++) {
      bounds[i] = LatencyHistogram.boundNanos(i) / SECOND_NANOS;
    }
    bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
    return bounds;
  }

  /**
   * OpenMetrics for scrapers that accept it, otherwise the text format of Prometheus.
   *
   * @param accept the header of the request; null if there is none
   */
  public static Text write(Samples samples, @Nullable String accept) {
    ExpositionFormatWriter writer = OPEN_METRICS.accepts(accept) ? OPEN_METRICS : PROMETHEUS;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      // Names have no characters that any scheme would escape.
      writer.write(out, snapshots(samples), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Text(writer.getContentType(), out.toString(StandardCharsets.UTF_8));
  }

  private static MetricSnapshots snapshots(Samples samples) {
    List<MetricSnapshot> all = new ArrayList<>();
    samples.all().forEach((metric, values) -> all.add(snapshot(metric, values)));
    return new MetricSnapshots(all);
  }

  private static MetricSnapshot snapshot(Metric metric, List<Samples.Sample> samples) {
    return switch (metric.kind()) {
      case COUNTER -> counter(metric, samples);
      case GAUGE -> gauge(metric, samples);
      case HISTOGRAM -> histogram(metric, samples);
    };
  }

  private static CounterSnapshot counter(Metric metric, List<Samples.Sample> samples) {
    CounterSnapshot.Builder all = CounterSnapshot.builder();
    all.name(metric.base()).help(metric.help());
    for (Samples.Sample sample : samples) {
      all.dataPoint(
          CounterSnapshot.CounterDataPointSnapshot.builder()
              .labels(labels(metric, sample))
              .value(number(sample))
              .build());
    }
    return all.build();
  }

  private static GaugeSnapshot gauge(Metric metric, List<Samples.Sample> samples) {
    GaugeSnapshot.Builder all = GaugeSnapshot.builder();
    all.name(metric.base()).help(metric.help());
    for (Samples.Sample sample : samples) {
      all.dataPoint(
          GaugeSnapshot.GaugeDataPointSnapshot.builder()
              .labels(labels(metric, sample))
              .value(number(sample))
              .build());
    }
    return all.build();
  }

  private static HistogramSnapshot histogram(Metric metric, List<Samples.Sample> samples) {
    HistogramSnapshot.Builder all = HistogramSnapshot.builder();
    all.name(metric.base()).help(metric.help());
    for (Samples.Sample sample : samples) {
      Latencies latencies = ((Samples.Value.Durations) sample.value()).latencies();
      long[] counts = new long[BOUNDS_SECONDS.length];
      for (int i = 0; i < counts.length; i++) counts[i] = latencies.count(i);
      all.dataPoint(
          HistogramSnapshot.HistogramDataPointSnapshot.builder()
              .labels(labels(metric, sample))
              .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS_SECONDS, counts))
              .sum(latencies.totalNanos() / SECOND_NANOS)
              .build());
    }
    return all.build();
  }

  private static double number(Samples.Sample sample) {
    return ((Samples.Value.Amount) sample.value()).value();
  }

  private static Labels labels(Metric metric, Samples.Sample sample) {
    return metric.labels().isEmpty() ? Labels.EMPTY : Labels.of(metric.labels(), sample.labels());
  }
}
