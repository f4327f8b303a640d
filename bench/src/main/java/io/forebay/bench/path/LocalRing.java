// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/** A ring in a process of its own, for the hops of a server and for the whole path. */
final class LocalRing implements FileHops.Servers, AutoCloseable {
  private static final int SPARE_SEGMENTS = 10;
  private static final int STRIPE_BYTES = 1 << 20;
  private static final String FILE = "path";
  private static final Duration DRAIN_MAX = Duration.ofMinutes(10);

  private final ServedCluster cluster;

  private LocalRing(ServedCluster cluster) {
    this.cluster = cluster;
  }

  /** Memory that each server needs for so many bytes in so many copies. */
  static long memoryBytes(PathScale scale, long bytes, int servers, int copies) {
    return bytes * copies / servers * 3 / 2 + (long) SPARE_SEGMENTS * scale.segmentBytes();
  }

  /**
   * Starts one.
   *
   * @param directory on a device, for its SSD tier
   * @param backingRoot where instances may drain to
   */
  static LocalRing start(
      PathScale scale, int servers, long memoryBytes, Path directory, Path backingRoot)
      throws IOException {
    ServedCluster.Shape shape =
        new ServedCluster.Shape(servers, 1, memoryBytes, 2 * memoryBytes, scale.segmentBytes());
    return new LocalRing(ServedCluster.start(shape.withBackingRoot(backingRoot), directory));
  }

  /** Makes an instance; returns what programs need to reach it. */
  String make(String instance, int copies, boolean forced) throws IOException {
    cluster.create(instance, options(copies).withForced(forced));
    return cluster.uri(instance);
  }

  private static InstanceOptions options(int copies) {
    // With few files, hashes alone would leave servers without work.
    PlacementSpec stripes = new PlacementSpec(PlacementSpec.Kind.STRIPES, STRIPE_BYTES, 0);
    return InstanceOptions.defaults().withCopies(copies).withPlacement(stripes);
  }

  static IorTarget target(String uri) {
    return new IorTarget(IorTarget.Api.FOREBAY, uri, "/" + FILE);
  }

  /**
   * Writes files, and drains them to a store; the time of the drain.
   *
   * @param transfer what each file has
   */
  Cost drain(String backing, int copies, int files, Transfer transfer, ByteBuffer source)
      throws IOException, InterruptedException {
    String instance = "drained";
    cluster.create(instance, options(copies).withDrain(new DrainSpec(backing, "request")));
    long nanos;
    try (Forebay client = cluster.connect(instance, ForebayOptions.defaults())) {
      for (int i = 0; i < files; i++) write(client, i, transfer, source);
      long start = System.nanoTime();
      client.drainAndAwait(List.of("/"), DRAIN_MAX, progress -> {});
      nanos = System.nanoTime() - start;
      for (int i = 0; i < files; i++) client.unlink(name(i));
    }
    cluster.destroy(instance);
    awaitEmpty();
    return new Cost(transfer.bytes() * files, nanos, 0);
  }

  private static void write(Forebay client, int number, Transfer transfer, ByteBuffer source)
      throws IOException {
    Payloads pieces = Payloads.of(source, transfer.payloadBytes());
    try (ForebayFile file =
        client.open(name(number), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      for (long i = 0; i < transfer.count(); i++) {
        file.write(pieces.next(), i * transfer.payloadBytes());
      }
      file.sync();
    }
  }

  private static String name(int number) {
    return "/" + FILE + "-" + number;
  }

  @Override
  public long cpuNanos() throws IOException {
    return cluster.cpuNanos();
  }

  @Override
  public void awaitEmpty() throws IOException, InterruptedException {
    cluster.awaitEmpty();
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
