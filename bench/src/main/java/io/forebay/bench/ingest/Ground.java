// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.bare.BarePeer;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Ring;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The common setup of all parts of the benchmark.
 *
 * @param device a directory on a device
 * @param source the source of all written bytes
 * @param target the target of all reads
 */
record Ground(
    IngestScale scale,
    Path device,
    BarePeer bare,
    ByteBuffer source,
    ByteBuffer target,
    Progress progress) {
  static final String BARE_PUT = "bare socket with CRC";
  static final String BARE_GET = "bare socket read";

  private static final int WARM_UP_BYTES = 4096;

  /** The written bytes. */
  Supplier<ByteBuffer> payloads(int payloadBytes) {
    return Payloads.of(source, payloadBytes)::next;
  }

  /** Where pieces of that length are read to, in turn. */
  Supplier<ByteBuffer> places(int payloadBytes) {
    return Payloads.of(target, payloadBytes)::next;
  }

  /** A cluster for this many bytes on each server, none of them on a device. */
  ServedCluster inMemory(int servers, int seats, long bytes) throws IOException {
    return ServedCluster.start(
        new ServedCluster.Shape(servers, seats, scale.memoryBytes(bytes), 0, scale.segmentBytes()),
        device);
  }

  /** A client of a new instance, with its code compiled before the measurement. */
  Ring ring(ServedCluster cluster, String instance, InstanceOptions options)
      throws IOException, InterruptedException {
    Ring ring = Ring.make(cluster, instance, options);
    try {
      ring.warmUp(scale.warmUpCalls(), payloads(WARM_UP_BYTES));
      return ring;
    } catch (IOException | RuntimeException e) {
      ring.close();
      throw e;
    }
  }

  /** The same pieces sent over a bare socket. */
  Cost barePut(Transfer transfer) throws IOException {
    Supplier<ByteBuffer> payloads = payloads(transfer.payloadBytes());
    return bareCost(
        transfer,
        () -> bare.put(transfer.payloadBytes(), transfer.count(), transfer.window(), payloads));
  }

  /** Pieces of the same size received over a bare socket. */
  Cost bareGet(Transfer transfer, Supplier<ByteBuffer> places) throws IOException {
    return bareCost(transfer, () -> bare.get(transfer.payloadBytes(), transfer.count(), places));
  }

  private Cost bareCost(Transfer transfer, Ring.Work work) throws IOException {
    long before = CpuTime.nanos() + bare.cpuNanos();
    long nanos = work.nanos();
    long cpuNanos = CpuTime.nanos() + bare.cpuNanos() - before;
    return new Cost(transfer.bytes(), nanos, cpuNanos);
  }
}
