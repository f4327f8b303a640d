// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.bench.bare.LandingRegion;
import io.forebay.bench.process.ChildDesk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * The program of {@link BarePeer}: a listener for each kind of stream, whose bytes it takes into
 * memory. One thread serves a connection at a time.
 */
final class BareChild {
  private final BareStream.Kind kind;
  private final ServerSocketChannel listener;
  private final SSLContext context;
  private final LandingRegion region;

  private BareChild(BareStream.Kind kind, SSLContext context, LandingRegion region)
      throws IOException {
    this.kind = kind;
    this.context = context;
    this.region = region;
    this.listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  public static void main(String[] arguments) throws IOException {
    SSLContext context = OwnCertificate.in(Path.of(arguments[0])).context();
    LandingRegion region = LandingRegion.map(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    List<String> ports = new ArrayList<>();
    for (BareStream.Kind kind : BareStream.Kind.values()) {
      BareChild child = new BareChild(kind, context, region);
      ports.add(Integer.toString(child.listener.socket().getLocalPort()));
      Thread.ofPlatform().daemon().start(child::listen);
    }
    ChildDesk.serve(String.join(BarePeer.BETWEEN, ports));
  }

  private void listen() {
    while (true) {
      try (BareStream stream = kind.accept(listener, context)) {
        serve(stream);
      } catch (ClosedChannelException ended) {
        return;
      } catch (IOException failed) {
        System.err.println("forebay: a bare stream failed: " + failed);
        return;
      }
    }
  }

  private void serve(BareStream stream) throws IOException {
    ByteBuffer request = ByteBuffer.allocate(BarePeer.REQUEST_BYTES);
    stream.read(request);
    request.flip();
    int payloadBytes = request.getInt();
    long count = request.getLong();
    stream.write(ByteBuffer.allocate(1));
    for (long i = 0; i < count; i++) stream.read(region.place(payloadBytes));
    stream.write(ByteBuffer.allocate(1));
  }
}
