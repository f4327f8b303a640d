// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Address;
import io.forebay.wire.NetworkContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract over Unix domain sockets. */
class UnixTest extends NetworkContract {
  @TempDir Path folder;
  private int count;

  @Override
  protected World newWorld() throws IOException {
    return new TcpWorld(() -> new Address.Unix(folder.resolve("s" + count++).toString()));
  }
}
