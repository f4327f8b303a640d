package io.forebay.bench.ingest;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.bare.BarePeer;
import io.forebay.bench.process.CpuTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * What all parts of the benchmark have in common.
 *
 * @param device a directory on a device, for what belongs there
 */
record Ground(IngestScale scale, Path device, BarePeer bare, ByteBuffer source, Progress progress) {
  static final String BARE_PUT = "bare socket with CRC";
  static final String BARE_GET = "bare socket read";

  /** What is written. */
  Supplier<ByteBuffer> payloads(int payloadBytes) {
    return Payloads.of(source, payloadBytes)::next;
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
