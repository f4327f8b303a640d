// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.host.LocalIdentity;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelPeerUsersTest {
  private static final int OWN = LocalIdentity.current().user();
  private static final int OTHER = 54321;

  private final KernelPeerUsers users = KernelPeerUsers.of(OWN);

  @TempDir Path folder;

  private static ServerSocketChannel listen(String host) throws IOException {
    return ServerSocketChannel.open().bind(new InetSocketAddress(host, 0));
  }

  @Test
  void bothEndsOfALoopbackConnectionAreOfThisUser() throws IOException {
    for (String host : List.of("127.0.0.1", "127.0.0.7", "::1")) {
      try (ServerSocketChannel listener = listen(host);
          SocketChannel dialled = SocketChannel.open(listener.getLocalAddress());
          SocketChannel accepted = listener.accept()) {
        assertThat(users.of(accepted)).as(host).isEqualTo(new Identity(OWN, List.of(OWN)));
        assertThat(users.of(dialled)).as(host).isEqualTo(new Identity(OWN, List.of(OWN)));
      }
    }
  }

  @Test
  void aSocketThatIsClosedBelongsToNoUser() throws IOException {
    try (ServerSocketChannel listener = listen("127.0.0.1")) {
      SocketChannel dialled = SocketChannel.open(listener.getLocalAddress());
      try (SocketChannel accepted = listener.accept()) {
        dialled.close();
        assertThat(users.of(accepted)).isNull();
      }
    }
  }

  @Test
  void anotherUserIsRecognized() throws Exception {
    assumeTrue(OtherUser.isPossible(), "needs root: run the suite as root");
    try (ServerSocketChannel listener = listen("127.0.0.1")) {
      SocketAddress at = listener.getLocalAddress();
      try (SocketChannel dialled = OtherUser.call(OTHER, () -> SocketChannel.open(at));
          SocketChannel accepted = listener.accept()) {
        assertThat(dialled.isConnected()).isTrue();
        assertThat(users.of(accepted)).isEqualTo(new Identity(OTHER, List.of(OTHER)));
      }
    }
  }

  @Test
  void theTablesOfTheKernelSayTheSame() throws Exception {
    assumeTrue(OtherUser.isPossible(), "needs root: run the suite as root");
    for (String host : List.of("127.0.0.1", "::1")) {
      try (ServerSocketChannel listener = listen(host)) {
        SocketAddress at = listener.getLocalAddress();
        try (SocketChannel dialled = OtherUser.call(OTHER, () -> SocketChannel.open(at));
            SocketChannel accepted = listener.accept()) {
          InetSocketAddress own = (InetSocketAddress) dialled.getLocalAddress();
          InetSocketAddress other = (InetSocketAddress) accepted.getLocalAddress();
          assertThat(new SocketTable().userOf(own, other)).isEqualTo(OptionalInt.of(OTHER));
          SocketDiagnosis diagnosis = SocketDiagnosis.find();
          if (diagnosis != null) {
            assertThat(diagnosis.userOf(own, other)).isEqualTo(OptionalInt.of(OTHER));
            InetSocketAddress none = new InetSocketAddress(own.getAddress(), 1);
            assertThat(diagnosis.userOf(none, other)).isEmpty();
          }
        }
      }
    }
  }

  @Test
  void theOwnUserIsRecognizedAtAUnixSocket() throws IOException {
    UnixDomainSocketAddress at = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (ServerSocketChannel listener =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(at)) {
      try (SocketChannel dialled = SocketChannel.open(at);
          SocketChannel accepted = listener.accept()) {
        assertThat(users.of(accepted)).isEqualTo(new Identity(OWN, List.of(OWN)));
        assertThat(users.of(dialled)).isEqualTo(new Identity(OWN, List.of(OWN)));
      }
    }
  }
}
