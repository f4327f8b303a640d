// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import io.forebay.base.BlockChecksums;
import io.forebay.bench.process.ChildDesk;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program of {@link BarePeer}: receives records into a mapped file in memory with all pages
 * touched, or sends its content.
 */
final class BareChild {
  private static final int ACKS_MAX = 4096;

  private final LandingRegion region;

  private BareChild(LandingRegion region) {
    this.region = region;
  }

  public static void main(String[] arguments) throws IOException {
    Path socket = Path.of(arguments[0]);
    Path memory = Path.of(arguments[1]);
    int bytes = Integer.parseInt(arguments[2]);
    BareChild child = new BareChild(LandingRegion.map(memory, bytes));
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      Thread server = Thread.ofPlatform().daemon().start(() -> child.listen(listener));
      ChildDesk.serve(socket.toString());
      server.interrupt();
    } finally {
      Files.deleteIfExists(socket);
    }
  }

  private void listen(ServerSocketChannel listener) {
    while (true) {
      try (SocketChannel socket = listener.accept()) {
        serve(socket);
      } catch (ClosedChannelException ended) {
        return;
      } catch (EOFException gone) {
        System.err.println("forebay: a client of the bare peer left early");
      } catch (IOException failed) {
        System.err.println("forebay: the bare peer failed: " + failed);
        return;
      }
    }
  }

  private void serve(SocketChannel socket) throws IOException {
    BareRequest.prepare(socket);
    BareRequest request = BareRequest.read(socket);
    if (request.put()) receive(socket, request);
    else send(socket, request);
  }

  private void receive(SocketChannel socket, BareRequest request) throws IOException {
    RecordInput input =
        new RecordInput(socket, request.payloadBytes(), () -> region.place(request.payloadBytes()));
    ByteBuffer acks = ByteBuffer.allocateDirect(ACKS_MAX);
    BareRequest.writeFully(socket, acks.limit(1));
    for (long left = request.count(); left > 0; ) {
      int count = input.receive();
      left -= count;
      BareRequest.writeFully(socket, acks.position(0).limit(count));
    }
  }

  /** Sends records with precomputed checksums, as a store would have them. */
  private void send(SocketChannel socket, BareRequest request) throws IOException {
    int payloadBytes = request.payloadBytes();
    ByteBuffer content = region.bytes();
    int different = (int) Math.min(request.count(), content.capacity() / payloadBytes);
    List<int[]> checksums = new ArrayList<>(different);
    for (int i = 0; i < different; i++) {
      checksums.add(BlockChecksums.of(content.slice(i * payloadBytes, payloadBytes)));
    }
    int batch = BarePeer.batch(payloadBytes);
    RecordOutput output = new RecordOutput(socket, payloadBytes, batch);
    ByteBuffer ready = ByteBuffer.allocateDirect(1);
    BareRequest.writeFully(socket, ready);
    BareRequest.readFully(socket, ready.clear());
    for (long sent = 0; sent < request.count(); sent += batch) {
      int count = (int) Math.min(batch, request.count() - sent);
      for (int i = 0; i < count; i++) {
        int number = (int) ((sent + i) % different);
        output.add(content.slice(number * payloadBytes, payloadBytes), checksums.get(number));
      }
      output.flush();
    }
  }
}
