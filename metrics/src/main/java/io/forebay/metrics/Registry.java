// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a process that tell values. Any thread. */
public final class Registry {
  /** What the registry tells of itself. */
  static final Metric LEFT_OUT =
      Metric.gauge(
          "forebay_metrics_left_out",
          "Values that this answer does not have: beyond its bound, or from a part that failed.");

  /** What this class tells. */
  public static final List<Metric> METRICS = List.of(LEFT_OUT);

  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

  private final List<Source> sources = new CopyOnWriteArrayList<>();

  public void add(Source source) {
    sources.add(source);
  }

  public void remove(Source source) {
    sources.remove(source);
  }

  /** Asks all parts. */
  public Samples scrape() {
    Samples samples = new Samples();
    collect(samples);
    samples.add(LEFT_OUT, samples.leftOut());
    return samples;
  }

  /** Adds what all parts tell, as a part of another registry. */
  public void collect(Samples samples) {
    for (Source source : sources) {
      try {
        source.collect(samples);
      } catch (RuntimeException e) {
        // The other parts' values matter, above all when one part is broken.
        samples.leaveOut();
        LOG.warn("a part of this process could not tell its metrics", e);
      }
    }
  }
}
