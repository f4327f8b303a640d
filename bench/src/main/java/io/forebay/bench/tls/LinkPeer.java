// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.base.MonotonicClock;
import io.forebay.bench.process.Child;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Transfer;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsBuffers;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two loops of the network in two processes with a connection between them, over TLS: what a ring
 * uses, without its seats. Both ends have their TLS buffers on the heap, or both outside of it.
 */
final class LinkPeer implements AutoCloseable {
  /** Lets every peer in. */
  static final Network.Door DOOR =
      hello ->
          new Handshake.Welcome(Handshake.VERSION_MAX, 0, Integer.MAX_VALUE, Integer.MAX_VALUE);

  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Message PIECE = new Maps.Ping(0);

  private final Child child;
  private final End heap;
  private final End direct;

  private LinkPeer(Child child, OwnCertificate certificate) throws IOException {
    this.child = child;
    String[] addresses = child.where().split(BarePeer.BETWEEN, -1);
    this.heap = new End(certificate, Address.parse(addresses[0]), false);
    this.direct = new End(certificate, Address.parse(addresses[1]), true);
  }

  /**
   * Starts the other process.
   *
   * @param memory a directory in memory
   * @param regionBytes the size of the memory that payloads land in
   */
  static LinkPeer start(OwnCertificate certificate, Path memory, int regionBytes)
      throws IOException {
    List<String> arguments =
        List.of(
            certificate.directory().toString(), memory.toString(), Integer.toString(regionBytes));
    Child child = Child.start(LinkChild.class, certificate.directory(), arguments);
    try {
      return new LinkPeer(child, certificate);
    } catch (IOException e) {
      child.close();
      throw e;
    }
  }

  /** Sends payloads; the time ends with the acknowledgement of the last. */
  Cost put(boolean directBuffers, Transfer transfer, Supplier<ByteBuffer> payloads)
      throws IOException {
    End end = directBuffers ? direct : heap;
    end.connect();
    long cpuBefore = CpuTime.nanos() + child.cpuNanos();
    long nanos = end.put(transfer, payloads);
    end.disconnect();
    return new Cost(transfer.bytes(), nanos, CpuTime.nanos() + child.cpuNanos() - cpuBefore);
  }

  /** How long the other end's compilers have worked so far. */
  long compileMillis() throws IOException {
    return child.compileMillis();
  }

  @Override
  public void close() throws IOException {
    heap.loop.close();
    direct.loop.close();
    child.close();
  }

  /** This end, with a connection for each measurement: between two of them its loop rests. */
  private static final class End implements Handler {
    private final Address to;
    private final TcpLoop loop;
    private @Nullable Connection open;
    private String ended = "";
    private long answered;

    End(OwnCertificate certificate, Address to, boolean directBuffers) throws IOException {
      MonotonicClock clock = MonotonicClock.system();
      this.to = to;
      this.loop =
          new TcpLoop(
              clock, TlsFiles.open(certificate.settings(), clock), new TlsBuffers(!directBuffers));
    }

    void connect() throws IOException {
      Handshake.Hello hello =
          Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.INGEST, 0, "bench", 1);
      loop.connect(to, hello, this);
      while (open == null) poll();
    }

    void disconnect() {
      if (open != null) open.close("the measurement is over");
      open = null;
      while (ended.isEmpty()) loop.poll(POLL_NANOS);
      ended = "";
    }

    long put(Transfer transfer, Supplier<ByteBuffer> payloads) throws IOException {
      Connection connection = open;
      if (connection == null) throw new IllegalStateException("not connected");
      long start = System.nanoTime();
      answered = 0;
      long sent = 0;
      while (answered < transfer.count()) {
        for (; sent < transfer.count() && sent - answered < transfer.window(); sent++) {
          connection.send(sent, PIECE, Payload.of(payloads.get()));
        }
        poll();
      }
      return System.nanoTime() - start;
    }

    private void poll() throws IOException {
      loop.poll(POLL_NANOS);
      if (!ended.isEmpty()) throw new IOException(ended);
    }

    @Override
    public void opened(Connection opened) {
      open = opened;
    }

    @Override
    public void received(Connection from, long request, Message message) {
      answered++;
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection from, String reason) {
      ended = reason;
    }
  }
}
