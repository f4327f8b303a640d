// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.Nodes;
import io.forebay.client.failure.Failures;
import io.forebay.client.file.AttributeChange;
import io.forebay.wire.Address;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All servers and the manager are gone, and come back. */
@Timeout(120)
class AllStoppedTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  @TempDir Path directory;

  @Test
  void callsFailInTimeAndHandlesGoOnAfterwards() throws Exception {
    Address.Inet listen = freeAddress();
    EmbeddedCluster cluster = start(listen);
    String uri = cluster.uri();
    try (Forebay client = Forebay.connect(uri, ForebayOptions.defaults().withTimeout(TIMEOUT))) {
      Nodes nodes = client.nodes();
      long root = nodes.root();
      ForebayFile written = nodes.create(root, "f", List.of(READ, WRITE, CREATE), 0644);
      written.write(text("one"), 0);
      written.sync();
      ForebayFile lost = nodes.create(root, "g", List.of(READ, WRITE, CREATE), 0644);
      cluster.close();
      requireUnavailable(() -> nodes.lookup(root, "f"));
      requireUnavailable(() -> nodes.mkdir(root, "d", 0755));
      requireUnavailable(() -> read(written));
      requireUnavailable(() -> written.set(new AttributeChange().mode(0600)));
      lost.write(text("lost"), 0);
      requireUnavailable(lost::sync);
      cluster = start(listen);
      awaitBack(nodes, root);
      assertThat(read(written)).isEqualTo("one");
      written.write(text("two"), 3);
      written.sync();
      assertThat(read(written)).isEqualTo("onetwo");
      assertThatThrownBy(lost::close)
          .satisfies(
              e ->
                  assertThat(Failures.codeOf(e))
                      .isIn(ErrorCode.UNAVAILABLE, ErrorCode.SESSION_ENDED));
      written.close();
    } finally {
      cluster.close();
    }
  }

  private EmbeddedCluster start(Address.Inet listen) throws IOException, StartFailed {
    return EmbeddedCluster.builder()
        .servers(2)
        .copies(2)
        .directory(directory)
        .memoryRoot(Files.createDirectories(directory.resolve("memory")))
        .listen(listen)
        .segmentBytes(1 << 20)
        .budget(16L << 20, 16L << 20)
        .start();
  }

  /**
   * Until seats that have just started have found each other, some calls may still be too early.
   */
  private static void awaitBack(Nodes nodes, long root) throws InterruptedException {
    while (true) {
      try {
        nodes.lookup(root, "f");
        return;
      } catch (IOException e) {
        assertThat(Failures.codeOf(e)).isEqualTo(ErrorCode.UNAVAILABLE);
        Thread.sleep(50);
      }
    }
  }

  private static void requireUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .satisfies(e -> assertThat(Failures.codeOf(e)).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  private static Address.Inet freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Address.Inet("127.0.0.1", socket.getLocalPort());
    }
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(ForebayFile file) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(100);
    int count = Math.max(0, file.read(target, 0));
    return new String(target.array(), 0, count, StandardCharsets.UTF_8);
  }
}
