// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.LogPace;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Identity;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accepted connections of one loop. Clients cannot take the places of seats, nor those of one
 * address, or of one user of this machine, the places of all others:
 *
 * <ol>
 *   <li>when too many connections have not sent their hello, the oldest one of the address with
 *       most of them is closed for a newer one;
 *   <li>the clients of one address, or of one user of this machine, get only a part of the places
 *       of clients;
 *   <li>clients get only a part of the places; when all of these are taken, here or in 2, the
 *       longest silent client is closed if it has been silent for a while, else the new client is
 *       refused;
 *   <li>client connections that are silent for very long are closed in any case; clients dial again
 *       when they need them.
 * </ol>
 */
final class ConnectionLimits {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);

  private ConnectionBounds bounds;
  private final LimitCounts counts;
  private final LogPace pace;

  /** With the sources of each; in the order of arrival. */
  private final Map<TcpConnection, String> greeting = new LinkedHashMap<>();

  private final Map<TcpConnection, String> clients = new LinkedHashMap<>();
  private final Set<TcpConnection> seats = new LinkedHashSet<>();

  /** How many clients each source has. */
  private final Map<String, Integer> clientsBySource = new HashMap<>();

  ConnectionLimits(ConnectionBounds bounds, LimitCounts counts, LogPace pace) {
    this.bounds = bounds;
    this.counts = counts;
    this.pace = pace;
  }

  void limitTo(ConnectionBounds newBounds) {
    bounds = newBounds;
  }

  /** A connection has come, which has said nothing yet. False if there is no place. */
  boolean arrived(TcpConnection connection, String source) {
    // 1: the oldest had its chance.
    if (greeting.size() >= bounds.greeting()) {
      counts.reached(Limit.UNGREETED_CONNECTIONS);
      oldestOfMost().end("it said nothing while many others came");
    }
    if (greeting.size() + clients.size() + seats.size() >= bounds.connections()) {
      counts.reached(Limit.CONNECTIONS);
      refused("all places are taken");
      return false;
    }
    greeting.put(connection, source);
    return true;
  }

  /** Of the source that has most connections without a hello. */
  private TcpConnection oldestOfMost() {
    Map<String, Integer> bySource = new HashMap<>();
    for (String source : greeting.values()) bySource.merge(source, 1, Integer::sum);
    TcpConnection oldest = null;
    int most = 0;
    for (Map.Entry<TcpConnection, String> each : greeting.entrySet()) {
      int count = bySource.getOrDefault(each.getValue(), 0);
      if (oldest != null && count <= most) continue;
      oldest = each.getKey();
      most = count;
    }
    if (oldest == null) throw new IllegalStateException("no connection greets");
    return oldest;
  }

  /** A connection has sent its hello; returns why it is refused, or null. */
  @Nullable String introduced(TcpConnection connection, Line line, long now) {
    if (line.isOfCluster()) {
      greeting.remove(connection);
      seats.add(connection);
      return null;
    }
    // 2: a place of its user or its address.
    Identity local = line.user();
    String address = greeting.getOrDefault(connection, Source.UNIX);
    String source = local == null ? address : Source.of(local);
    int ofSource = clientsBySource.getOrDefault(source, 0);
    if (local != null && ofSource >= bounds.perUser() && !makeRoom(source, now)) {
      counts.reached(Limit.CONNECTIONS_PER_USER);
      return refusal("this server has " + ofSource + " client connections of " + source);
    }
    boolean ofAddress = local == null && !source.equals(Source.UNIX);
    if (ofAddress && ofSource >= bounds.perAddress() && !makeRoom(source, now)) {
      counts.reached(Limit.CONNECTIONS_PER_ADDRESS);
      return refusal("this server has " + ofSource + " client connections of your address");
    }
    // 3: a client's place.
    if (clients.size() >= bounds.clients() && !makeRoom(null, now)) {
      counts.reached(Limit.CLIENT_CONNECTIONS);
      return refusal("this server has " + clients.size() + " client connections");
    }
    greeting.remove(connection);
    clients.put(connection, source);
    clientsBySource.merge(source, 1, Integer::sum);
    return null;
  }

  private String refusal(String what) {
    refused(what + ", its limit");
    return what + ", its limit; try again later";
  }

  /** Closes the longest silent client, of this source if it is not null. */
  private boolean makeRoom(@Nullable String source, long now) {
    TcpConnection longest = null;
    for (Map.Entry<TcpConnection, String> each : clients.entrySet()) {
      if (source != null && !source.equals(each.getValue())) continue;
      TcpConnection client = each.getKey();
      if (client.silentNanos(now) < WireLimits.CROWDED_IDLE_NANOS) continue;
      if (longest == null || client.silentNanos(now) > longest.silentNanos(now)) longest = client;
    }
    if (longest == null) return false;
    longest.end("it was silent, and its place was needed");
    return true;
  }

  void left(TcpConnection connection) {
    if (greeting.remove(connection) != null || seats.remove(connection)) return;
    String source = clients.remove(connection);
    if (source == null) return;
    clientsBySource.computeIfPresent(source, (key, count) -> count == 1 ? null : count - 1);
  }

  /** 4: closes clients that have been silent for very long. */
  void watch(long now) {
    for (TcpConnection client : List.copyOf(clients.keySet())) {
      if (client.silentNanos(now) <= WireLimits.IDLE_NANOS_MAX) continue;
      counts.reached(Limit.SILENCE);
      client.end("it was idle for long");
    }
  }

  /** The client that has most answers waiting, or null; what seats are sent is never dropped. */
  @Nullable TcpConnection slowestReader() {
    TcpConnection most = null;
    for (TcpConnection client : clients.keySet()) {
      if (most == null || client.answerBytes() > most.answerBytes()) most = client;
    }
    return most;
  }

  /** Logs why TLS with a peer did not come about. */
  void refused(String why) {
    pace.log("refused", () -> "no connection with " + why, LOG::warn);
  }
}
