// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.wire.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

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
      if (address instanceof Address.Inet inet && isElsewhere(inet)) {
        throw new StartFailed(
            address
                + " is not an address of this machine; choose one that 'ip address' shows, with"
                + " --listen",
            e);
      }
      throw new StartFailed(
          e.getMessage()
              + "; stop the process that uses it, or choose another address with --listen",
          e);
    }
  }

  /** Whether the address is that of another machine, as far as that is known. */
  private static boolean isElsewhere(Address.Inet address) {
    try {
      InetAddress host = InetAddress.getByName(address.host());
      return !host.isAnyLocalAddress()
          && !host.isLoopbackAddress()
          && NetworkInterface.getByInetAddress(host) == null;
    } catch (IOException unknown) {
      return false;
    }
  }
}
