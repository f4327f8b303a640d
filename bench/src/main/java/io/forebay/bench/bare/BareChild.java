// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import io.forebay.base.BlockChecksums;
import io.forebay.bench.process.ChildDesk;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The program of {@link BarePeer}: receives records into a mapped file in memory with all pages
 * touched, or sends its content.
 */
final class BareChild {
  private static final int PAGE_BYTES = 4096;

  private final ByteBuffer region;
  private int next;

  private BareChild(ByteBuffer region) {
    this.region = region;
  }

  public static void main(String[] arguments) throws IOException {
    Path socket = Path.of(arguments[0]);
    Path memory = Path.of(arguments[1]);
    int bytes = Integer.parseInt(arguments[2]);
    BareChild child = new BareChild(map(memory, bytes));
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      Thread server = Thread.ofPlatform().daemon().start(() -> child.listen(listener));
      ChildDesk.serve(socket.toString());
      server.interrupt();
    } finally {
      Files.deleteIfExists(socket);
    }
  }

  private static ByteBuffer map(Path directory, int bytes) throws IOException {
    Path file = Files.createTempFile(directory, "bare", null);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer region =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global()).asByteBuffer();
      for (int at = 0; at < bytes; at += PAGE_BYTES) region.put(at, (byte) 1);
      return region;
    } finally {
      Files.delete(file);
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

  private ByteBuffer place(int payloadBytes) {
    if (next > region.capacity() - payloadBytes) next = 0;
    ByteBuffer place = region.slice(next, payloadBytes);
    next += payloadBytes;
    return place;
  }

  private void receive(SocketChannel socket, BareRequest request) throws IOException {
    RecordInput input =
        new RecordInput(socket, request.payloadBytes(), () -> place(request.payloadBytes()));
    ByteBuffer acks = ByteBuffer.allocateDirect(PAGE_BYTES);
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
    int different = (int) Math.min(request.count(), region.capacity() / payloadBytes);
    List<int[]> checksums = new ArrayList<>(different);
    for (int i = 0; i < different; i++) {
      checksums.add(BlockChecksums.of(region.slice(i * payloadBytes, payloadBytes)));
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
        output.add(region.slice(number * payloadBytes, payloadBytes), checksums.get(number));
      }
      output.flush();
    }
  }
}
