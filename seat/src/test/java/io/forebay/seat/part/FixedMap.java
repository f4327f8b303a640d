// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Maps;
import org.jspecify.annotations.Nullable;

/** A map for tests of parts: the one that was set, and no way to another. */
public final class FixedMap implements MapView {
  private @Nullable RingMap map;

  public void set(RingMap newer) {
    map = newer;
  }

  @Override
  public @Nullable RingMap map() {
    return map;
  }

  @Override
  public long mapEpoch() {
    return map == null ? 0 : map.epoch();
  }

  @Override
  public Maps.MapIs mapSince(long haveEpoch) {
    return new Maps.MapIs(mapEpoch(), Bytes.EMPTY);
  }

  @Override
  public void mapArrived(Maps.MapIs message) {}

  @Override
  public void fetchMap() {}

  @Override
  public boolean away(SeatId seat) {
    SeatEntry entry = map == null ? null : map.seat(seat);
    return entry != null && entry.away();
  }

  @Override
  public String serverOf(SeatId seat) {
    return seat.toString();
  }

  @Override
  public @Nullable Instance instance(int instance) {
    return map == null ? null : map.instance(instance);
  }

  @Override
  public boolean mayBeNew(int instance) {
    return instance(instance) == null;
  }

  @Override
  public boolean hasEnded(int instance) {
    return map != null && map.ended().contains(instance);
  }
}
