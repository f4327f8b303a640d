// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.process.Transport;
import io.forebay.bench.transfer.Ring;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A ring of one seat, and one of two seats that each keep a copy, over the same transport. */
final class Rings implements AutoCloseable {
  private static final String INSTANCE = "tls";

  private final Ring single;
  private final Ring copied;

  private Rings(Ring single, Ring copied) {
    this.single = single;
    this.copied = copied;
  }

  /**
   * Starts them, and lets the JVMs compile what the measurements use.
   *
   * @param directory where what belongs on a device goes
   * @param payloads short ones, for the first calls
   */
  static Rings start(
      TlsScale scale, Transport transport, Path directory, Supplier<ByteBuffer> payloads)
      throws IOException, InterruptedException {
    Ring single = ring(scale, transport, directory, 1);
    try {
      Rings rings = new Rings(single, ring(scale, transport, directory, 2));
      rings.single.warmUp(scale.warmUpCalls(), payloads);
      rings.copied.warmUp(scale.warmUpCalls(), payloads);
      return rings;
    } catch (IOException | RuntimeException e) {
      close(single);
      throw e;
    }
  }

  private static Ring ring(TlsScale scale, Transport transport, Path directory, int servers)
      throws IOException {
    ServedCluster.Shape shape =
        new ServedCluster.Shape(servers, 1, scale.memoryBytes(), 0, scale.segmentBytes());
    ServedCluster cluster = ServedCluster.start(shape.over(transport), directory);
    try {
      return Ring.make(cluster, INSTANCE, InstanceOptions.defaults().withCopies(servers));
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** One copy of each byte. */
  Ring single() {
    return single;
  }

  /** Two copies. */
  Ring copied() {
    return copied;
  }

  /** How long the servers' compilers have worked so far. */
  long compileMillis() throws IOException {
    return single.cluster().compileMillis() + copied.cluster().compileMillis();
  }

  @Override
  public void close() throws IOException {
    try {
      close(copied);
    } finally {
      close(single);
    }
  }

  private static void close(Ring ring) throws IOException {
    try {
      ring.close();
    } finally {
      ring.cluster().close();
    }
  }
}
