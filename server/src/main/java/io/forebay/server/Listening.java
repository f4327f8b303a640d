// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.wire.Address;
import java.io.IOException;

/** Beginning to listen, with a sentence for people where that cannot be. */
final class Listening {
  /** What listens. */
  interface Door<L> {
    L listen(Address at) throws IOException;
  }

  private Listening() {}

  static <L> L at(Address address, Door<L> door) throws StartFailed {
    try {
      return door.listen(address);
    } catch (IOException e) {
      throw new StartFailed(
          e.getMessage()
              + "; stop the process that uses it, or choose another address with --listen",
          e);
    }
  }
}
