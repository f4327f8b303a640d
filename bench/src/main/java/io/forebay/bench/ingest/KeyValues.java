// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.process.Window;
import io.forebay.bench.transfer.Ring;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.InstanceOptions;
import io.forebay.client.Pairs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Pairs put and got by one client of one seat, and by one of a Redis server where there is one. */
final class KeyValues {
  private static final List<Integer> SIZES =
      List.of(4 * IngestScale.KIB, 64 * IngestScale.KIB, IngestScale.MIB);
  private static final String NOT_INSTALLED =
      "redis-server is not installed, so pairs have no baseline; dev/optional-packages"
          + " installs it";

  private final Ground ground;
  private final IngestScale scale;
  private final List<String> notes;

  KeyValues(Ground ground, List<String> notes) {
    this.ground = ground;
    this.scale = ground.scale();
    this.notes = notes;
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    try (RedisPeer redis = RedisPeer.startIfInstalled(ground.device());
        ServedCluster cluster = ground.inMemory(1, 1, scale.bytes());
        Ring ring = ground.ring(cluster, "pairs", InstanceOptions.defaults().withCopies(1))) {
      if (redis == null) notes.add(NOT_INSTALLED);
      for (int size : scale.all() ? SIZES : List.of(IngestScale.MIB)) {
        results.addAll(measure(ring, redis, size));
      }
    }
    return results;
  }

  private List<Result> measure(Ring ring, @Nullable RedisPeer redis, int size)
      throws IOException, InterruptedException {
    String name = Rate.sizeName(size);
    ground.progress().measuring("pairs of " + name);
    long count = Math.min(scale.calls(), scale.bytes() / size);
    Transfer transfer = new Transfer(size, count, IngestScale.WINDOW);
    Supplier<ByteBuffer> payloads = ground.payloads(size);
    Supplier<ByteBuffer> places = ground.places(size);
    List<Rounds.Trial<Double>> trials = new ArrayList<>();
    trials.add(() -> put(ring, transfer, payloads));
    trials.add(() -> get(ring, transfer));
    if (redis != null) {
      trials.add(() -> rate(transfer, redis.put(transfer, payloads)));
      trials.add(() -> rate(transfer, redis.get(transfer, places)));
    }
    put(ring, transfer, payloads);
    if (redis != null) redis.put(transfer, payloads);
    List<Samples> samples = Rounds.figures(scale.rounds(), scale.warmUps(), trials);
    delete(ring, transfer);
    if (redis != null) redis.clear();
    Result put = result("pair put " + name, samples.get(0));
    Result get = result("pair get " + name, samples.get(1));
    if (redis == null) return List.of(put, get);
    return List.of(
        put.against("Redis SET", samples.get(2)), get.against("Redis GET", samples.get(3)));
  }

  private static Result result(String name, Samples samples) {
    return Result.of(name, Rate.PER_SECOND, Better.HIGHER, samples);
  }

  private static double rate(Transfer transfer, long nanos) {
    return Rate.perSecond(transfer.count(), nanos);
  }

  static String key(long number) {
    return "key-" + number;
  }

  /** Puts every pair, replacing that of the round before. */
  private static double put(Ring ring, Transfer transfer, Supplier<ByteBuffer> payloads)
      throws IOException {
    Pairs pairs = ring.client().pairs();
    Window window = new Window(transfer.window());
    long start = System.nanoTime();
    for (long i = 0; i < transfer.count(); i++) {
      window.awaitRoom();
      window.add(pairs.putAsync(key(i), payloads.get()));
    }
    window.awaitAll();
    return rate(transfer, System.nanoTime() - start);
  }

  private static double get(Ring ring, Transfer transfer) throws IOException {
    Pairs pairs = ring.client().pairs();
    Window window = new Window(transfer.window());
    long start = System.nanoTime();
    for (long i = 0; i < transfer.count(); i++) {
      window.awaitRoom();
      window.add(pairs.getAsync(key(i)));
    }
    window.awaitAll();
    return rate(transfer, System.nanoTime() - start);
  }

  private static void delete(Ring ring, Transfer transfer)
      throws IOException, InterruptedException {
    for (long i = 0; i < transfer.count(); i++) ring.client().pairs().delete(key(i));
    ring.cluster().awaitEmpty();
  }
}
