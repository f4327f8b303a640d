// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

/**
 * How many connections a loop accepts.
 *
 * @param connections in all
 * @param clients the part of them that clients may use; seats and managers have the rest
 * @param perAddress the part of {@code clients} that one address may use
 * @param perUser the part of {@code clients} that one user of this machine may use
 * @param greeting connections whose handshake is not finished
 * @param handshakeBytes what each of these may send
 */
public record ConnectionBounds(
    int connections, int clients, int perAddress, int perUser, int greeting, long handshakeBytes) {
  public static final ConnectionBounds DEFAULT =
      new ConnectionBounds(
          WireLimits.CONNECTIONS_MAX,
          WireLimits.CLIENT_CONNECTIONS_MAX,
          WireLimits.ADDRESS_CONNECTIONS_MAX,
          WireLimits.USER_CONNECTIONS_MAX,
          WireLimits.GREETING_CONNECTIONS_MAX,
          WireLimits.HANDSHAKE_BYTES_MAX);

  public ConnectionBounds {
    if (connections < 1 || clients < 1 || perAddress < 1 || perUser < 1 || greeting < 1) {
      throw new IllegalArgumentException("a bound below 1");
    }
  }
}
