// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.wire.Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restricts which programs can reach a process: those with a certificate if it has one itself,
 * otherwise only those on its machine, unless the operator allows all.
 */
final class ListenGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ListenGuard.class);

  private ListenGuard() {}

  /**
   * Refuses an address that other machines reach without TLS, unless {@code insecure}.
   *
   * @return the address that was checked: a name may lead to another one the next time
   */
  static InetAddress check(Address.Inet at, Access access) throws StartFailed {
    InetAddress resolved = resolve(at);
    boolean secure = access.tls() != null;
    if (resolved.isLoopbackAddress()) {
      if (access.insecure()) {
        LOG.warn(
            "INSECURE: every user of this machine can read, change and delete all data at {}", at);
      }
      return resolved;
    }
    if (!secure && !access.insecure()) {
      throw new StartFailed(
          "listening on "
              + at
              + " without TLS would let every host on the network read and write; give a"
              + " --token of 'forebay token create', set tls-certificate, tls-key and tls-ca,"
              + " listen on 127.0.0.1, or say --insecure if"
              + " that network is trusted");
    }
    if (secure) return resolved;
    LOG.warn(
        "INSECURE: {} is open to the network without encryption or authentication; every program"
            + " that reaches it can read, change and delete all data",
        at);
    return resolved;
  }

  /** Refuses an address that other processes get to know and cannot dial. */
  static void requireDialable(Address.Inet at) throws StartFailed {
    if (!resolve(at).isAnyLocalAddress()) return;
    throw new StartFailed(
        at + " is no address that others can dial; name the one by which they reach this machine");
  }

  /** Whether only programs of this machine reach it. */
  static boolean isLoopback(Address.Inet at) throws StartFailed {
    return resolve(at).isLoopbackAddress();
  }

  private static InetAddress resolve(Address.Inet at) throws StartFailed {
    try {
      return InetAddress.getByName(at.host());
    } catch (UnknownHostException e) {
      throw new StartFailed(
          "'" + at.host() + "' is not a known host; listen on an address of this machine", e);
    }
  }
}
