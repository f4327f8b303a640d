// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.bench.process.Child;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Transfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** A process that takes bytes over bare sockets with and without TLS, and this end of it. */
final class BarePeer implements AutoCloseable {
  static final String BETWEEN = ",";
  static final int REQUEST_BYTES = Integer.BYTES + Long.BYTES;

  private final Child child;
  private static final List<BareStream.Kind> KINDS = List.of(BareStream.Kind.values());

  /** In the order of {@link #KINDS}. */
  private final List<Integer> ports;

  private final SSLContext context;

  private BarePeer(Child child, SSLContext context) {
    this.child = child;
    this.ports = List.of(child.where().split(BETWEEN, -1)).stream().map(Integer::valueOf).toList();
    this.context = context;
  }

  /**
   * Starts the other process.
   *
   * @param memory a directory in memory
   * @param regionBytes the size of the memory that bytes land in
   */
  static BarePeer start(OwnCertificate certificate, Path memory, int regionBytes)
      throws IOException {
    List<String> arguments =
        List.of(
            certificate.directory().toString(), memory.toString(), Integer.toString(regionBytes));
    SSLContext context = certificate.context();
    return new BarePeer(Child.start(BareChild.class, certificate.directory(), arguments), context);
  }

  /** Sends pieces one after the other; the time ends when the peer has the last. */
  Cost put(BareStream.Kind kind, Transfer transfer, Supplier<ByteBuffer> payloads)
      throws IOException {
    try (BareStream stream = kind.dial(context, ports.get(KINDS.indexOf(kind)))) {
      ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES);
      stream.write(request.putInt(transfer.payloadBytes()).putLong(transfer.count()).flip());
      ByteBuffer answer = ByteBuffer.allocate(1);
      stream.read(answer);
      long cpuBefore = CpuTime.nanos() + child.cpuNanos();
      long start = System.nanoTime();
      for (long i = 0; i < transfer.count(); i++) stream.write(payloads.get());
      stream.read(answer.clear());
      long nanos = System.nanoTime() - start;
      return new Cost(transfer.bytes(), nanos, CpuTime.nanos() + child.cpuNanos() - cpuBefore);
    }
  }

  /** How long the other end's compilers have worked so far. */
  long compileMillis() throws IOException {
    return child.compileMillis();
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
