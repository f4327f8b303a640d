// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.Measurement;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One way of taking a burst: into a buffer that is drained afterwards, or directly to the store.
 */
final class Burst implements AutoCloseable {
  private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(2);
  private static final double GIB = 1L << 30;

  /**
   * The result of a burst.
   *
   * @param cpuSecondsPerGib of tasks and servers; 0 if there are no servers
   * @param durableSeconds from the end of the burst until the store had all of it; 0 if the burst
   *     was written to the store directly
   */
  record Figures(double mibPerSecond, double cpuSecondsPerGib, double durableSeconds) {}

  private final String name;
  private final IorRun run;
  private final IorLayout layout;
  private final @Nullable Buffer buffer;

  /** Everything that a burst needs except its buffer. */
  private record Buffer(ServedCluster cluster, Forebay client, int pauseMillis) {}

  private Burst(String name, IorRun run, IorLayout layout, @Nullable Buffer buffer) {
    this.name = name;
    this.run = run;
    this.layout = layout;
    this.buffer = buffer;
  }

  static Burst straight(String name, IorRun run, IorLayout layout) {
    return new Burst(name, run, layout, null);
  }

  static Burst buffered(
      String name,
      IorRun run,
      IorLayout layout,
      ServedCluster cluster,
      String instance,
      int pauseMillis)
      throws IOException {
    Forebay client = cluster.connect(instance, ForebayOptions.defaults());
    return new Burst(name, run, layout, new Buffer(cluster, client, pauseMillis));
  }

  String name() {
    return name;
  }

  /** The burst, and the pause behind it. */
  Figures measure() throws IOException, InterruptedException {
    if (buffer != null) return measure(buffer);
    Measurement written = run.write();
    run.deleteFiles();
    return new Figures(written.mibPerSecond(), 0, 0);
  }

  private Figures measure(Buffer into) throws IOException, InterruptedException {
    long cpuBefore = CpuTime.nanos() + into.cluster.cpuNanos();
    Measurement written = run.write();
    long cpuNanos = CpuTime.nanos() + into.cluster.cpuNanos() - cpuBefore;
    long start = System.nanoTime();
    into.client.awaitDurable("/", DRAIN_PATIENCE);
    long drainNanos = System.nanoTime() - start;
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(into.pauseMillis) - drainNanos;
    if (leftNanos > 0) TimeUnit.NANOSECONDS.sleep(leftNanos);
    run.deleteFiles();
    into.cluster.awaitEmpty();
    double gibs = layout.totalBytes() / GIB;
    return new Figures(written.mibPerSecond(), seconds(cpuNanos) / gibs, seconds(drainNanos));
  }

  private static double seconds(long nanos) {
    return (double) nanos / TimeUnit.SECONDS.toNanos(1);
  }

  @Override
  public void close() throws IOException {
    if (buffer != null) buffer.client.close();
    run.close();
  }
}
