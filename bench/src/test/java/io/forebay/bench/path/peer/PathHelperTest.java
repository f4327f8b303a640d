// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.transfer.Transfer;
import io.forebay.wire.Address;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathHelperTest {
  private static final int PIECE_BYTES = 1003;
  private static final int COUNT = 50;

  @TempDir private Path directory;
  private final BlockingQueue<String> problems = new LinkedBlockingQueue<>();

  private PathHelper tcp() throws IOException {
    return PathHelper.listen(new Address.Inet("127.0.0.1", 0), problems::add);
  }

  private static void exchange(Address helper) throws IOException {
    try (HelperLink link = HelperLink.taking(helper, PIECE_BYTES, COUNT)) {
      link.send(ByteBuffer.allocateDirect(PIECE_BYTES));
    }
    try (HelperLink link = HelperLink.giving(helper, PIECE_BYTES, COUNT)) {
      link.receive(ByteBuffer.allocateDirect(PIECE_BYTES));
    }
    try (HelperLink one = HelperLink.giving(helper, PIECE_BYTES, COUNT);
        HelperLink other = HelperLink.giving(helper, PIECE_BYTES, COUNT)) {
      HelperLink.receiveAll(List.of(one, other), ByteBuffer.allocateDirect(PIECE_BYTES));
    }
    try (NullServerLink link = NullServerLink.connect(HelperLink.nullServerOf(helper))) {
      Transfer transfer = new Transfer(PIECE_BYTES, COUNT, 8);
      link.put(transfer, () -> ByteBuffer.allocateDirect(PIECE_BYTES));
      link.get(transfer, () -> ByteBuffer.allocateDirect(PIECE_BYTES));
    }
  }

  @Test
  void takesAndGivesOverTcp() throws Exception {
    try (PathHelper helper = tcp()) {
      exchange(helper.address());
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void takesAndGivesOverAUnixSocketAndRemovesIt() throws Exception {
    Address at = new Address.Unix(directory.resolve("helper").toString());
    try (PathHelper helper = PathHelper.listen(at, problems::add)) {
      exchange(helper.address());
    }
    assertThat(problems).isEmpty();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void garbageEndsAConnectionAndNothingElse() throws Exception {
    try (PathHelper helper = tcp()) {
      Address.Inet at = (Address.Inet) helper.address();
      try (Socket socket = new Socket(at.host(), at.port())) {
        socket
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      } catch (IOException reset) {
        // The same end, seen otherwise: what it had not read was dropped.
      }
      assertThat(problems.poll(10, TimeUnit.SECONDS)).contains("does not speak this protocol");
      assertThatThrownBy(() -> HelperLink.taking(at, HelperRequest.PIECE_BYTES_MAX + 1, 1))
          .hasMessageContaining("does not answer");
      assertThat(problems.poll(10, TimeUnit.SECONDS)).contains("a piece has at most");
      exchange(at);
    }
  }

  @Test
  void aMissingHelperIsNamedWithTheRemedy() throws Exception {
    Address gone;
    try (PathHelper helper = tcp()) {
      gone = helper.address();
    }
    assertThatThrownBy(() -> HelperLink.nullServerOf(gone))
        .hasMessageContaining(gone.toString())
        .hasMessageContaining("forebay bench path-helper");
  }
}
