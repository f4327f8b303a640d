// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.limit.StrangerSocket;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a peer can write into the log of a real process. */
class PacedLogTest {
  @TempDir Path folder;

  @Test
  void malformedFramesBehindTheHandshakeAreOneLine() throws IOException {
    Path log = folder.resolve("log");
    String dir = folder.resolve("manager").toString();
    try (ChildProcess manager =
        ChildProcess.start(log, "manager", "--dir", dir, "--listen", "127.0.0.1:0")) {
      Address.Inet at = (Address.Inet) Address.parse(manager.address());
      for (int i = 0; i < 5; i++) sendGarbage(at);
      List<String> lines =
          Files.readAllLines(log).stream().filter(line -> line.contains(" sent ")).toList();
      assertThat(lines).hasSize(1);
      assertThat(lines.get(0)).contains("127.0.0.1:", "closed");
    }
  }

  /** Greets, sends garbage, and waits until it is closed. */
  private static void sendGarbage(Address.Inet at) throws IOException {
    try (StrangerSocket socket = welcome(at)) {
      socket.write(ByteBuffer.allocate(1000));
      while (!socket.isClosed()) Thread.onSpinWait();
    }
  }

  /** A manager that starts refuses at first. */
  private static StrangerSocket welcome(Address.Inet at) throws IOException {
    for (int i = 0; i < 1000; i++) {
      try {
        return new StrangerSocket(at);
      } catch (StrangerSocket.NotWelcome early) {
        Thread.onSpinWait();
      }
    }
    throw new IOException("never welcome");
  }
}
