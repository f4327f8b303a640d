// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.metrics.Registry;
import io.forebay.server.metrics.MetricsService;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

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

  /** Opens the door where monitoring systems read; null if it is switched off. */
  static @Nullable MetricsService metrics(
      String process, Access access, @Nullable TlsFiles tls, Registry registry) throws StartFailed {
    try {
      return MetricsService.open(process, access.metrics(), access.insecure(), tls, registry);
    } catch (IOException e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
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
