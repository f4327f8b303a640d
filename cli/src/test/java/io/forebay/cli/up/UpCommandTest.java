// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.Address;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class UpCommandTest {
  @Test
  void anotherPortIsTakenAndToldWhereTheUsualOneIsNotFree() throws Exception {
    Address.Inet usual;
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      usual = new Address.Inet("127.0.0.1", other.getLocalPort());
      Address.Inet taken = UpCommand.freeOr(usual);
      assertThat(taken.port()).isZero();
      assertThat(UpCommand.told(usual, taken))
          .isEqualTo(
              "Port %d is taken, so another one is used; --listen HOST:PORT chooses it."
                  .formatted(usual.port()));
    }
    assertThat(UpCommand.told(usual, usual)).isEmpty();
  }
}
