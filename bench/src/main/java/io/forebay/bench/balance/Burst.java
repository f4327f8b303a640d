// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.balance;

import io.forebay.bench.process.ServedCluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One client writes a burst of 1 MiB pieces, all of them for one seat by placement. */
final class Burst {
  static final int PIECE_BYTES = 1 << 20;
  private static final int DIGITS = 3;
  private static final int UNDER_WAY = 16;
  private static final String PATH = "/burst";

  /**
   * The result of a burst.
   *
   * @param skew bytes on the fullest seat, divided by the mean
   * @param redirectedShare of its pieces
   */
  record Figures(
      double mibPerSecond,
      double p50Millis,
      double p99Millis,
      double skew,
      double redirectedShare) {}

  private final ServedCluster cluster;
  private final String instance;
  private final int pieces;
  private final ByteBuffer payload;

  Burst(ServedCluster cluster, String instance, int pieces, ByteBuffer payload) {
    this.cluster = cluster;
    this.instance = instance;
    this.pieces = pieces;
    this.payload = payload;
  }

  Figures measure() throws IOException, InterruptedException {
    Histogram acknowledged = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
    List<Statuses.Counters> before = cluster.counters();
    long nanos;
    // A new client each time, without state from earlier bursts.
    try (Forebay client = cluster.connect(instance, ForebayOptions.defaults())) {
      nanos = write(client, acknowledged);
      List<Statuses.Counters> after = cluster.counters();
      client.unlink(PATH);
      cluster.awaitEmpty();
      return figures(nanos, acknowledged, before, after);
    }
  }

  private long write(Forebay client, Histogram acknowledged) throws IOException {
    long start = System.nanoTime();
    try (ForebayFile file =
        client.open(PATH, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      List<CompletableFuture<Void>> underWay = new ArrayList<>();
      for (int i = 0; i < pieces; i++) {
        if (underWay.size() == UNDER_WAY) underWay.remove(0).join();
        long sent = System.nanoTime();
        underWay.add(
            file.writeAsync(payload.duplicate(), (long) i * PIECE_BYTES)
                .thenRun(() -> acknowledged.recordValue(System.nanoTime() - sent)));
      }
      for (CompletableFuture<Void> each : underWay) each.join();
    } catch (CompletionException e) {
      throw new IOException("a write failed", e);
    }
    return System.nanoTime() - start;
  }

  private Figures figures(
      long nanos,
      Histogram acknowledged,
      List<Statuses.Counters> before,
      List<Statuses.Counters> after) {
    double most = 0;
    double all = 0;
    long redirected = 0;
    for (int i = 0; i < after.size(); i++) {
      double bytes = kept(after.get(i)) - kept(before.get(i));
      most = Math.max(most, bytes);
      all += bytes;
      redirected += after.get(i).redirected() - before.get(i).redirected();
    }
    return new Figures(
        pieces / (nanos / 1e9),
        acknowledged.getValueAtPercentile(50) / 1e6,
        acknowledged.getValueAtPercentile(99) / 1e6,
        most / (all / after.size()),
        (double) redirected / pieces);
  }

  private static long kept(Statuses.Counters counters) {
    return counters.putBytes() + counters.copyBytes();
  }
}
