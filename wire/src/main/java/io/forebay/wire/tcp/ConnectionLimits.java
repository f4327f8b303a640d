// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Handshake;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accepted connections of one loop. Clients cannot take the places of seats:
 *
 * <ol>
 *   <li>when too many connections have not sent their hello, the oldest of them is closed for a
 *       newer one;
 *   <li>clients get only a part of the places; when all of these are taken, the longest silent
 *       client is closed if it has been silent for a while, else the new client is refused;
 *   <li>client connections that are silent for very long are closed in any case; clients dial again
 *       when they need them.
 * </ol>
 */
final class ConnectionLimits {
  private static final long TOLD_NANOS = 10_000_000_000L;
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);

  /** How many of each there can be. */
  record Places(int connections, int clients, int greeting) {
    static final Places USUAL =
        new Places(
            WireLimits.CONNECTIONS_MAX,
            WireLimits.CLIENT_CONNECTIONS_MAX,
            WireLimits.GREETING_CONNECTIONS_MAX);
  }

  private final Places places;
  private final Set<TcpConnection> greeting = new LinkedHashSet<>();
  private final Set<TcpConnection> clients = new LinkedHashSet<>();
  private final Set<TcpConnection> seats = new LinkedHashSet<>();
  private boolean told;
  private long toldNanos;
  private long untold;

  ConnectionLimits(Places places) {
    this.places = places;
  }

  /** A connection has come, which has said nothing yet. False if there is no place. */
  boolean arrived(TcpConnection connection, long now) {
    // 1: the oldest had its chance.
    if (greeting.size() >= places.greeting) {
      TcpConnection oldest = greeting.iterator().next();
      oldest.end("it said nothing while many others came");
    }
    if (greeting.size() + clients.size() + seats.size() >= places.connections) {
      refused(now, "all places are taken");
      return false;
    }
    greeting.add(connection);
    return true;
  }

  /** A connection has sent its hello; returns why it is refused, or null. */
  @Nullable String introduced(TcpConnection connection, Handshake.Hello hello, long now) {
    if (hello.role() != Handshake.Role.CLIENT) {
      greeting.remove(connection);
      seats.add(connection);
      return null;
    }
    // 2: a client's place.
    if (clients.size() >= places.clients && !makeRoom(now)) {
      String reason = "this server has " + clients.size() + " client connections, its limit";
      refused(now, reason);
      return reason + "; try again later";
    }
    greeting.remove(connection);
    clients.add(connection);
    return null;
  }

  private boolean makeRoom(long now) {
    TcpConnection longest = null;
    for (TcpConnection client : clients) {
      if (client.silentNanos(now) < WireLimits.CROWDED_IDLE_NANOS) continue;
      if (longest == null || client.silentNanos(now) > longest.silentNanos(now)) longest = client;
    }
    if (longest == null) return false;
    longest.end("it was silent, and its place was needed");
    return true;
  }

  void left(TcpConnection connection) {
    if (!greeting.remove(connection) && !clients.remove(connection)) seats.remove(connection);
  }

  /** 3: closes clients that have been silent for very long. */
  void watch(long now) {
    for (TcpConnection client : Set.copyOf(clients)) {
      if (client.silentNanos(now) > WireLimits.IDLE_NANOS_MAX) client.end("it was idle for long");
    }
  }

  /** The client that has most answers waiting, or null; what seats are sent is never dropped. */
  @Nullable TcpConnection slowestReader() {
    TcpConnection most = null;
    for (TcpConnection client : clients) {
      if (most == null || client.answerBytes() > most.answerBytes()) most = client;
    }
    return most;
  }

  /** Logs refusals at most once in a while, with their number. */
  void refused(long now, String why) {
    untold++;
    if (told && now - toldNanos < TOLD_NANOS) return;
    LOG.warn("refused {} connections: {}", untold, why);
    told = true;
    toldNanos = now;
    untold = 0;
  }
}
