// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Address;
import io.forebay.wire.NetworkContract;
import java.io.IOException;

/** The contract over TCP. */
class InetTest extends NetworkContract {
  @Override
  protected World newWorld() throws IOException {
    return new TcpWorld(() -> new Address.Inet("127.0.0.1", 0));
  }
}
