// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.Bytes;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All connected peers, and the map that they get. */
public final class ConnectedPeers {
  public static final int CONNECTIONS_MAX = 16_384;

  /** A connection with more queued bytes than this does not read: it is closed. */
  static final long QUEUED_BYTES_MAX = 64L * 1024 * 1024;

  /** Connections and the epoch of the newest map sent to each. */
  private final Map<Connection, Long> connections = new LinkedHashMap<>();

  private @Nullable RingMap map;
  private Bytes mapBytes = Bytes.EMPTY;

  public boolean full() {
    return connections.size() >= CONNECTIONS_MAX;
  }

  public void opened(Connection connection) {
    connections.put(connection, 0L);
  }

  public void closed(Connection connection) {
    connections.remove(connection);
  }

  /** The newest map that others may know, or null. */
  public @Nullable RingMap map() {
    return map;
  }

  public long epoch() {
    RingMap present = map;
    return present == null ? 0 : present.epoch();
  }

  /** Tells everyone of a map. */
  public void publish(RingMap newer) {
    map = newer;
    mapBytes = RingMapCodec.write(newer);
    for (Connection connection : new ArrayList<>(connections.keySet())) push(connection);
  }

  /** Sends the map unasked, unless it was sent before. */
  public void push(Connection connection) {
    Long sent = connections.get(connection);
    if (sent == null || sent >= epoch()) return;
    if (connection.queuedBytes() > QUEUED_BYTES_MAX) {
      connection.close("it takes no maps in");
      return;
    }
    send(new Caller(connection, 0), 0);
  }

  /** Answers with the map if it is newer. */
  public void send(Caller caller, long haveEpoch) {
    boolean newer = epoch() > haveEpoch;
    caller.answer(new Maps.MapIs(epoch(), newer ? mapBytes : Bytes.EMPTY));
    if (newer) connections.computeIfPresent(caller.connection(), (c, sent) -> epoch());
  }
}
