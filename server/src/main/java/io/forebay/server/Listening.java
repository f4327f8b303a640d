// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.wire.Address;
import java.io.IOException;

/** Starts to listen; failures have a sentence for users. */
final class Listening {
  /** Opens a listener. */
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
