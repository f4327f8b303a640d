// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.Bytes;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All connected peers, and the map that they get. */
public final class ConnectedPeers {
  public static final int CONNECTIONS_MAX = 64 * 1024;

  /** A connection with more queued bytes than this does not read: it is closed. */
  static final long QUEUED_BYTES_MAX = Limit.UNREAD_MAPS.value();

  /** Decides what of the map a peer may see. */
  public interface Sight {
    /** Whether it gets maps at all. */
    boolean seesMaps(Connection connection);

    boolean sees(Connection connection, Instance instance);
  }

  private final Sight sight;
  private final LimitCounts limits;

  /** The map with some instances left out, by the numbers of those that are shown. */
  private final Map<List<Integer>, Bytes> parts = new HashMap<>();

  /** Connections and the epoch of the newest map sent to each. */
  private final Map<Connection, Long> connections = new LinkedHashMap<>();

  private @Nullable RingMap map;
  private Bytes mapBytes = Bytes.EMPTY;

  public ConnectedPeers(Sight sight, LimitCounts limits) {
    this.limits = limits;
    this.sight = sight;
  }

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
    parts.clear();
    for (Connection connection : new ArrayList<>(connections.keySet())) push(connection);
  }

  /** Sends all peers a message that they did not ask for. */
  public void tell(Message message) {
    for (Connection connection : new ArrayList<>(connections.keySet())) connection.send(0, message);
  }

  /** Sends the map unasked, unless it was sent before. */
  public void push(Connection connection) {
    Long sent = connections.get(connection);
    if (sent == null || sent >= epoch() || !sight.seesMaps(connection)) return;
    if (connection.queuedBytes() > QUEUED_BYTES_MAX) {
      limits.reached(Limit.UNREAD_MAPS);
      connection.close("it takes no maps in");
      return;
    }
    send(new Caller(connection, 0), 0);
  }

  /** Answers with the map if it is newer. */
  public void send(Caller caller, long haveEpoch) {
    boolean newer = epoch() > haveEpoch;
    caller.answer(new Maps.MapIs(epoch(), newer ? mapFor(caller.connection()) : Bytes.EMPTY));
    if (newer) connections.computeIfPresent(caller.connection(), (c, sent) -> epoch());
  }

  private Bytes mapFor(Connection connection) {
    RingMap whole = map;
    if (whole == null) return Bytes.EMPTY;
    List<Integer> shown =
        whole.instances().stream()
            .filter(instance -> sight.sees(connection, instance))
            .map(Instance::id)
            .toList();
    if (shown.size() == whole.instances().size()) return mapBytes;
    return parts.computeIfAbsent(
        shown,
        numbers -> RingMapCodec.write(whole.showing(instance -> sight.sees(connection, instance))));
  }
}
