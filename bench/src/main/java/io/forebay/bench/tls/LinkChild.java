// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.base.MonotonicClock;
import io.forebay.bench.bare.LandingRegion;
import io.forebay.bench.process.ChildDesk;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.message.Message;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsBuffers;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program of {@link LinkPeer}: loops that take payloads into memory and acknowledge each, one
 * for each kind of buffers.
 */
final class LinkChild implements Handler {
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LandingRegion region;

  private LinkChild(LandingRegion region) {
    this.region = region;
  }

  public static void main(String[] arguments) throws IOException {
    OwnCertificate certificate = OwnCertificate.in(Path.of(arguments[0]));
    LandingRegion region = LandingRegion.map(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    List<String> addresses = new ArrayList<>();
    for (boolean direct : new boolean[] {false, true}) {
      MonotonicClock clock = MonotonicClock.system();
      TcpLoop loop =
          new TcpLoop(clock, TlsFiles.open(certificate.settings(), clock), new TlsBuffers(!direct));
      Network.Listener listener =
          loop.listen(new Address.Inet("127.0.0.1", 0), LinkPeer.DOOR, new LinkChild(region));
      addresses.add(listener.address().toString());
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                while (true) loop.poll(POLL_NANOS);
              });
    }
    ChildDesk.serve(String.join(BarePeer.BETWEEN, addresses));
  }

  @Override
  public void opened(Connection connection) {
    // The other end begins.
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    connection.send(request, message);
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    return new Landing.Into(
        region.place(payloadBytes),
        new Landing.Arrival() {
          @Override
          public void filled() {
            connection.send(request, message);
          }

          @Override
          public void aborted() {
            // The other end has gone, and counts nothing.
          }
        });
  }

  @Override
  public void closed(Connection connection, String reason) {
    // The next measurement makes another one.
  }
}
