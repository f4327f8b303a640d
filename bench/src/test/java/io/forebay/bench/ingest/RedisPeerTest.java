// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Transfer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client's side of Redis' protocol, against a server that knows three commands. */
class RedisPeerTest {
  private static final int PAYLOAD_BYTES = 100_000;

  @TempDir private Path directory;

  private final Map<String, byte[]> pairs = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private ServerSocketChannel listener;
  private RedisPeer peer;

  @BeforeEach
  void connect() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("redis"));
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
    Future<?> _ =
        threads.submit(
            () -> {
              serve();
              return null;
            });
    peer = new RedisPeer(null, SocketChannel.open(address));
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
    listener.close();
    threads.shutdown();
  }

  @Test
  void valuesComeBackAsTheyWere() throws IOException {
    Payloads payloads = Payloads.of(Payloads.random(7), PAYLOAD_BYTES);
    ByteBuffer target = ByteBuffer.allocate(PAYLOAD_BYTES);
    peer.put(new Transfer(PAYLOAD_BYTES, 5, 4), payloads::next);
    assertThat(pairs).containsOnlyKeys("key-0", "key-1", "key-2", "key-3", "key-4");
    peer.get(new Transfer(PAYLOAD_BYTES, 5, 4), target::clear);
    byte[] last = pairs.get("key-4");
    assertThat(target.array()).isEqualTo(last);
    peer.clear();
    assertThat(pairs).isEmpty();
  }

  @Test
  void anErrorIsToldAndNotCounted() {
    Transfer transfer = new Transfer(PAYLOAD_BYTES, 1, 1);
    assertThatThrownBy(() -> peer.get(transfer, () -> ByteBuffer.allocate(PAYLOAD_BYTES)))
        .isInstanceOf(IOException.class)
        .hasMessage("Redis answered $-1");
  }

  private void serve() throws IOException {
    try (SocketChannel socket = listener.accept()) {
      InputStream in = new BufferedInputStream(Channels.newInputStream(socket));
      OutputStream out = Channels.newOutputStream(socket);
      while (true) {
        String head = line(in);
        if (head.isEmpty()) return;
        String[] words = new String[Integer.parseInt(head.substring(1))];
        byte[] value = {};
        for (int i = 0; i < words.length; i++) {
          value = in.readNBytes(Integer.parseInt(line(in).substring(1)));
          words[i] = new String(value, StandardCharsets.US_ASCII);
          line(in);
        }
        out.write(answer(words, value));
      }
    }
  }

  private byte[] answer(String[] words, byte[] value) {
    switch (words[0]) {
      case "SET" -> pairs.put(words[1], value);
      case "FLUSHALL" -> pairs.clear();
      default -> {
        byte[] found = pairs.get(words[1]);
        if (found == null) return "$-1\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] head = ("$" + found.length + "\r\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer all = ByteBuffer.allocate(head.length + found.length + 2);
        return all.put(head).put(found).put((byte) '\r').put((byte) '\n').array();
      }
    }
    return "+OK\r\n".getBytes(StandardCharsets.US_ASCII);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0 || next == '\n') return line.toString().strip();
      line.append((char) next);
    }
  }
}
