// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.base.ByteSize;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Scratch;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.ring.RingPlace;
import java.io.IOException;
import java.nio.file.Path;

/** A cluster with one instance for the time of a run, large enough for its files. */
public final class IorCluster implements AutoCloseable {
  /**
   * The cluster's shape.
   *
   * @param servers with one seat each
   */
  public record Shape(int servers, int copies, PlacementSpec.Kind placement, boolean forced) {
    public static final int SERVERS_MAX = 16;

    public Shape {
      if (servers < 1 || servers > SERVERS_MAX) {
        throw new IllegalArgumentException("--servers must be from 1 to " + SERVERS_MAX);
      }
      if (copies < 1 || copies > servers) {
        throw new IllegalArgumentException("--copies must be from 1 to the number of servers");
      }
    }
  }

  private static final String INSTANCE = "ior";
  private static final int SEGMENT_BYTES = 8 << 20;

  /** Segments beside those for the data: the reserves, and some in preparation. */
  private static final int SPARE_SEGMENTS = 8;

  private final Scratch scratch;
  private final ServedCluster cluster;

  private IorCluster(Scratch scratch, ServedCluster cluster) {
    this.scratch = scratch;
    this.cluster = cluster;
  }

  /**
   * Starts it.
   *
   * @param directory where what belongs on a device goes
   */
  public static IorCluster start(Shape shape, IorLayout layout, Path directory)
      throws IOException, BenchmarkImpossible {
    long data = shareBytes(shape, layout) * shape.copies();
    // Below three quarters nothing spills to the device, and pieces that are written twice find
    // room there.
    long server = data * 4 / 3 + (long) SPARE_SEGMENTS * SEGMENT_BYTES;
    requireMemory(shape.servers() * server, directory);
    Scratch scratch = new Scratch(directory, shape.servers() * server, 0);
    try {
      ServedCluster cluster =
          ServedCluster.start(
              new ServedCluster.Shape(shape.servers(), 1, server, server, SEGMENT_BYTES),
              scratch.onDevice("ring"));
      return made(scratch, cluster, shape);
    } catch (IOException e) {
      scratch.close();
      throw e;
    }
  }

  private static IorCluster made(Scratch scratch, ServedCluster cluster, Shape shape)
      throws IOException {
    try {
      cluster.create(INSTANCE, options(shape));
      return new IorCluster(scratch, cluster);
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  /** The room that one copy of everything takes on the fullest server. */
  private static long shareBytes(Shape shape, IorLayout layout) {
    if (shape.servers() == 1) return layout.totalBytes();
    if (shape.placement() == PlacementSpec.Kind.ISOLATED) {
      int tasks = (layout.tasks() + shape.servers() - 1) / shape.servers();
      return tasks * layout.bytesPerTask();
    }
    // Hashing is uneven.
    return 2 * layout.totalBytes() / shape.servers();
  }

  private static void requireMemory(long bytes, Path directory)
      throws IOException, BenchmarkImpossible {
    long free = RingPlace.room(directory).memoryBytes();
    if (bytes > free) {
      throw new BenchmarkImpossible(
          "a cluster for this run needs %s of memory and %s are free; lower -b, -s or -N, or name"
                  .formatted(ByteSize.format(bytes), ByteSize.format(Math.max(0, free)))
              + " a file of a cluster with -o forebay://HOST:PORT/INSTANCE/PATH");
    }
  }

  private static InstanceOptions options(Shape shape) {
    return InstanceOptions.defaults()
        .withCopies(shape.copies())
        .withForced(shape.forced())
        .withPlacement(new PlacementSpec(shape.placement(), PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
  }

  /** The address of its instance. */
  public String uri() {
    return cluster.uri(INSTANCE);
  }

  /** Waits until deleted data is freed. */
  public void awaitEmpty() throws IOException, InterruptedException {
    cluster.awaitEmpty();
  }

  @Override
  public void close() throws IOException {
    try (scratch) {
      cluster.close();
    }
  }
}
