// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.transfer.Ring;
import io.forebay.bench.transfer.Transfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** The time of one piece from the call to the acknowledgement when none is ahead of it. */
final class Latencies {
  private static final String UNIT = "us";
  private static final double NANOS_PER_UNIT = 1000;
  private static final int DIGITS = 3;
  private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9);

  private final Ground ground;
  private final Ring ring;
  private final Transfer transfer;

  Latencies(Ground ground, Ring ring, int payloadBytes) {
    this.ground = ground;
    this.ring = ring;
    // No more bytes than the ring has memory for.
    long calls = Math.min(ground.scale().calls(), ground.scale().bytes() / payloadBytes);
    this.transfer = new Transfer(payloadBytes, calls, 1);
  }

  List<Result> measure() throws IOException, InterruptedException {
    String size = Rate.sizeName(transfer.payloadBytes());
    ground.progress().measuring("latency of put " + size);
    Supplier<ByteBuffer> payloads = ground.payloads(transfer.payloadBytes());
    List<List<Histogram>> measured =
        Rounds.run(
            ground.scale().rounds(),
            ground.scale().warmUps(),
            List.of(() -> ofRing(payloads), () -> ofBare(payloads)));
    List<Result> results = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      String name = "put " + size + " p" + (percentile % 1 == 0 ? "%.0f" : "%.1f");
      results.add(
          Result.of(
                  name.formatted(percentile),
                  UNIT,
                  Better.LOWER,
                  samples(measured.get(0), percentile))
              .against(Ground.BARE_PUT, samples(measured.get(1), percentile)));
    }
    return results;
  }

  private Histogram ofRing(Supplier<ByteBuffer> payloads) throws IOException, InterruptedException {
    Histogram histogram = histogram();
    ring.putEach(transfer, payloads, histogram::recordValue);
    return histogram;
  }

  private Histogram ofBare(Supplier<ByteBuffer> payloads) throws IOException {
    Histogram histogram = histogram();
    ground
        .bare()
        .putEach(transfer.payloadBytes(), transfer.count(), payloads, histogram::recordValue);
    return histogram;
  }

  private static Histogram histogram() {
    return new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
  }

  private static Samples samples(List<Histogram> histograms, double percentile) {
    return Samples.of(
        histograms, histogram -> histogram.getValueAtPercentile(percentile) / NANOS_PER_UNIT);
  }
}
