// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Rate;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.process.Window;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.PlacementSpec;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One instance that is drained on request, and one client of it. */
final class DrainedRing implements AutoCloseable {
  static final int PIECE_BYTES = 1 << 20;
  static final int WINDOW = 16;

  /** The number of warm-up reads. */
  private static final int WARM_UP_CALLS = 16_384;

  private static final int WARM_UP_BYTES = 4096;

  private static final long SETTLE_MILLIS = 250;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** What a drain did, from the request until the last file is durable. */
  record Drained(long nanos, long bytes, long writes) {
    double mibPerSecond() {
      return Rate.mibPerSecond(bytes, nanos);
    }
  }

  /** The total of all seats since their start. */
  private record Written(long writes, long bytes) {}

  private final DrainGround ground;
  private final ServedCluster cluster;
  private final String instance;
  private final Forebay client;

  private DrainedRing(DrainGround ground, ServedCluster cluster, String instance, Forebay client) {
    this.ground = ground;
    this.cluster = cluster;
    this.instance = instance;
    this.client = client;
  }

  /** Makes an instance and connects to it. The cluster stays open when this is closed. */
  static DrainedRing make(DrainGround ground, ServedCluster cluster, int copies, String store)
      throws IOException {
    return make(ground, cluster, copies, new DrainSpec(store, "request"));
  }

  /** The same over a store's existing contents; the buffer has only what was read. */
  static DrainedRing over(DrainGround ground, ServedCluster cluster, String store)
      throws IOException {
    return make(ground, cluster, 1, new DrainSpec(store, "request").asOver().keeping("reads"));
  }

  /** The same with another policy. */
  static DrainedRing make(DrainGround ground, ServedCluster cluster, int copies, DrainSpec drain)
      throws IOException {
    String instance =
        (drain.over() ? "over-" : "drained-") + Integer.toHexString(drain.backing().hashCode());
    PlacementSpec stripes = new PlacementSpec(PlacementSpec.Kind.STRIPES, PIECE_BYTES, 0);
    cluster.create(
        instance,
        InstanceOptions.defaults().withCopies(copies).withPlacement(stripes).withDrain(drain));
    Forebay client = cluster.connect(instance, ForebayOptions.defaults());
    return new DrainedRing(ground, cluster, instance, client);
  }

  Forebay client() {
    return client;
  }

  /** Writes a file as parallel programs do; ends when it is published. */
  void fill(String path, WritePattern pattern, long bytes) throws IOException {
    try (ForebayFile file = create(path)) {
      pattern.visit(
          bytes, (rank, offset, length) -> file.write(ground.bytesAt(offset, length), offset));
    }
  }

  /** Writes a file without copying; says how long it took until all was acknowledged. */
  long put(String path, long bytes) throws IOException {
    try (ForebayFile file = create(path)) {
      long start = System.nanoTime();
      Window window = new Window(WINDOW);
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        window.awaitRoom();
        window.add(file.writeAsync(ground.bytesAt(at, PIECE_BYTES), at));
      }
      window.awaitAll();
      return System.nanoTime() - start;
    }
  }

  private ForebayFile create(String path) throws IOException {
    return client.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  /**
   * Makes both ends compile the code of a read, which large pieces do not: it takes thousands of
   * calls, and short ones do it soonest.
   */
  void warmUp(String path, long bytes, ByteBuffer places) throws IOException {
    get(path, Math.min(bytes, (long) WARM_UP_CALLS * WARM_UP_BYTES), WARM_UP_BYTES, places);
  }

  /** Reads a file into one place after the other; says how long it took. */
  long get(String path, long bytes, ByteBuffer places) throws IOException {
    return get(path, bytes, PIECE_BYTES, places);
  }

  private long get(String path, long bytes, int pieceBytes, ByteBuffer places) throws IOException {
    try (ForebayFile file = client.open(path, StandardOpenOption.READ)) {
      long start = System.nanoTime();
      Window window = new Window(WINDOW);
      for (long at = 0; at < bytes; at += pieceBytes) {
        window.awaitRoom();
        int place = (int) (at % (places.capacity() - pieceBytes)) / pieceBytes * pieceBytes;
        window.add(file.readAsync(places.slice(place, pieceBytes), at));
      }
      window.awaitAll();
      return System.nanoTime() - start;
    }
  }

  /** Waits until the seats notice that no client writes, so that they do not throttle a drain. */
  void settle() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
  }

  /** Drains everything. */
  Drained drain() throws IOException {
    Written before = written();
    long start = System.nanoTime();
    client.drainAndAwait(List.of("/"), PATIENCE, progress -> {});
    long nanos = System.nanoTime() - start;
    Written after = written();
    return new Drained(nanos, after.bytes - before.bytes, after.writes - before.writes);
  }

  /** What all seats have drained since they were started. */
  long drainedBytes() throws IOException {
    return written().bytes;
  }

  private Written written() throws IOException {
    long writes = 0;
    long bytes = 0;
    for (Statuses.Counters seat : cluster.counters()) {
      writes += seat.drainWrites();
      bytes += seat.drainedBytes();
    }
    return new Written(writes, bytes);
  }

  /** Deletes files, here and in the store, and waits until their memory is free. */
  void remove(String... paths) throws IOException, InterruptedException {
    for (String path : paths) client.unlink(path);
    cluster.awaitEmpty();
  }

  /** Destroys the instance; its files in the store stay. Waits until all memory is free. */
  void destroy() throws IOException, InterruptedException {
    cluster.destroy(instance);
    cluster.awaitEmpty();
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
