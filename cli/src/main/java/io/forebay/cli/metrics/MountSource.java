// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.metrics;

import static io.forebay.metrics.Metric.gauge;
import static io.forebay.metrics.Metric.histogram;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.metrics.Source;
import io.forebay.mount.ForebayMount;
import java.util.List;
import java.util.Locale;

/** What a mount tells. */
public final class MountSource implements Source {
  private static final Metric REQUESTS =
      histogram(
          "forebay_mount_request_seconds",
          "How long threads of the mount were busy with requests of the kernel: read, write, sync"
              + " (close, flush, fsync), names (all others).",
          "directory",
          "kind");
  private static final Metric THREADS =
      gauge("forebay_mount_threads", "Threads that handle requests.", "directory");
  private static final Metric BUSY =
      gauge("forebay_mount_busy_threads", "Those of them that are busy.", "directory");
  private static final Metric GONE =
      gauge(
          "forebay_mount_cluster_gone",
          "Whether the cluster does not answer, so that requests fail at once.",
          "directory");

  /** What this class tells. */
  public static final List<Metric> METRICS = List.of(REQUESTS, THREADS, BUSY, GONE);

  private final ForebayMount mount;

  public MountSource(ForebayMount mount) {
    this.mount = mount;
  }

  @Override
  public void collect(Samples to) {
    String directory = mount.directory().toString();
    ForebayMount.Figures figures = mount.figures();
    figures
        .times()
        .forEach(
            (kind, times) ->
                to.add(REQUESTS, times, directory, kind.name().toLowerCase(Locale.ROOT)));
    to.add(THREADS, figures.threads().all(), directory);
    to.add(BUSY, figures.threads().busy(), directory);
    to.add(GONE, figures.gone() ? 1 : 0, directory);
  }
}
