// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.SeatId;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Maps;
import org.jspecify.annotations.Nullable;

/** The map that the seat follows, and how it gets a newer one. */
public interface MapView {
  @Nullable RingMap map();

  /** The epoch of the map this seat follows, or 0. */
  long mapEpoch();

  /** The map as others are sent it, without its bytes if they have it already. */
  Maps.MapIs mapSince(long haveEpoch);

  /** A map from the manager or from another seat; if it is newer the seat will follow it. */
  void mapArrived(Maps.MapIs message);

  /** Asks the manager for a newer map, at most once per interval. */
  void fetchMap();

  /** Whether the map says that the seat is away. */
  boolean away(SeatId seat);

  /** A seat with its server, for people. */
  String serverOf(SeatId seat);

  /** An instance of the map, or null; it may have ended, or be newer than the map. */
  @Nullable Instance instance(int instance);

  /** Whether an instance that this seat's map does not have may be in a newer one. */
  boolean mayBeNew(int instance);

  /** Whether the map says that the instance has ended (P37). */
  boolean hasEnded(int instance);
}
