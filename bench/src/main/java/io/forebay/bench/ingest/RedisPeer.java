// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.transfer.Transfer;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server that keeps nothing on disk, and one client of it over a Unix socket. Commands and
 * replies of its protocol, pipelined as deep as the ring's.
 */
final class RedisPeer implements AutoCloseable {
  private static final String PROGRAM = "redis-server";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_MILLIS = 20;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final byte[] END = {'\r', '\n'};

  private final @Nullable Process process;
  private final SocketChannel socket;
  private final ByteBuffer input = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();

  RedisPeer(@Nullable Process process, SocketChannel socket) {
    this.process = process;
    this.socket = socket;
  }

  /** Starts a server, or says with null that there is none. */
  static @Nullable RedisPeer startIfInstalled(Path directory)
      throws IOException, InterruptedException {
    Path program = find();
    if (program == null) return null;
    Path file = directory.resolve("redis.sock");
    Process process =
        new ProcessBuilder(command(program, file))
            .directory(directory.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      return new RedisPeer(process, connect(file));
    } catch (IOException | InterruptedException e) {
      process.destroy();
      throw e;
    }
  }

  private static @Nullable Path find() {
    String path = System.getenv("PATH");
    if (path == null) return null;
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path program = Path.of(folder, PROGRAM);
      if (Files.isExecutable(program)) return program;
    }
    return null;
  }

  private static List<String> command(Path program, Path socket) {
    return List.of(
        program.toString(),
        "--port",
        "0",
        "--unixsocket",
        socket.toString(),
        "--save",
        "",
        "--appendonly",
        "no",
        "--daemonize",
        "no");
  }

  private static SocketChannel connect(Path file) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        socket.connect(UnixDomainSocketAddress.of(file));
        return socket;
      } catch (IOException notYet) {
        socket.close();
        if (System.nanoTime() - start > PATIENCE_NANOS) throw notYet;
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Sets this many keys; returns the time. */
  long put(Transfer transfer, Supplier<ByteBuffer> payloads) throws IOException {
    long start = System.nanoTime();
    long answered = 0;
    for (long i = 0; i < transfer.count(); i++) {
      ByteBuffer payload = payloads.get();
      send(
          text("*3\r\n$3\r\nSET\r\n" + bulk(KeyValues.key(i)) + "$" + payload.remaining() + "\r\n"),
          payload,
          ByteBuffer.wrap(END));
      if (i + 1 - answered == transfer.window()) answered += takeOk(transfer.window() / 2);
    }
    takeOk(transfer.count() - answered);
    return System.nanoTime() - start;
  }

  /** Gets them. */
  long get(Transfer transfer, Supplier<ByteBuffer> places) throws IOException {
    long start = System.nanoTime();
    long answered = 0;
    for (long i = 0; i < transfer.count(); i++) {
      send(text("*2\r\n$3\r\nGET\r\n" + bulk(KeyValues.key(i))));
      if (i + 1 - answered == transfer.window()) answered += take(transfer.window() / 2, places);
    }
    take(transfer.count() - answered, places);
    return System.nanoTime() - start;
  }

  /** Drops everything. */
  void clear() throws IOException {
    send(text("*1\r\n$8\r\nFLUSHALL\r\n"));
    takeOk(1);
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void send(ByteBuffer... parts) throws IOException {
    ByteBuffer last = parts[parts.length - 1];
    while (last.hasRemaining()) socket.write(parts);
  }

  private long takeOk(long count) throws IOException {
    for (long i = 0; i < count; i++) {
      String reply = line();
      if (!reply.equals("+OK")) throw new IOException("Redis answered " + reply);
    }
    return count;
  }

  private long take(long count, Supplier<ByteBuffer> places) throws IOException {
    for (long i = 0; i < count; i++) {
      String reply = line();
      ByteBuffer place = places.get();
      if (!reply.equals("$" + place.remaining())) throw new IOException("Redis answered " + reply);
      take(place);
      if (!line().isEmpty()) throw new IOException("Redis sent a value without an end");
    }
    return count;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      if (!input.hasRemaining()) fill();
      char next = (char) input.get();
      if (next == '\n') return line.toString();
      if (next != '\r') line.append(next);
    }
  }

  private void take(ByteBuffer place) throws IOException {
    int here = Math.min(place.remaining(), input.remaining());
    place.put(place.position(), input, input.position(), here);
    input.position(input.position() + here);
    place.position(place.position() + here);
    while (place.hasRemaining()) {
      if (socket.read(place) < 0) throw new EOFException("Redis has ended");
    }
  }

  private void fill() throws IOException {
    input.clear();
    if (socket.read(input) < 0) throw new EOFException("Redis has ended");
    input.flip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    if (process != null) process.destroy();
  }
}
