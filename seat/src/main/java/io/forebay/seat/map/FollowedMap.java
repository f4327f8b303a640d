// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.Maps;
import org.jspecify.annotations.Nullable;

/** The map that the seat follows, for its parts. {@link MapMemory} decides which one it is. */
public final class FollowedMap implements MapView {
  /** Supplies and distributes maps. */
  public interface Source {
    /** Asks the manager for a map newer than this. */
    void fetch(long haveEpoch);

    /** Another seat has sent a map. */
    void arrived(Maps.MapIs message);
  }

  private static final long FETCH_NANOS = ProtocolTimes.DEFAULT.requests().fetchMapNanos();

  private final Timers timers;
  private final Source source;
  private @Nullable RingMap map;
  private Bytes bytes = Bytes.EMPTY;
  private long fetchedNanos;

  public FollowedMap(Timers timers, Source source) {
    this.timers = timers;
    this.source = source;
    this.fetchedNanos = timers.nanos() - FETCH_NANOS;
  }

  /** From now on it is this one, written so. */
  void become(RingMap newer, Bytes written) {
    map = newer;
    bytes = written;
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
    RingMap known = map;
    if (known == null) return new Maps.MapIs(0, Bytes.EMPTY);
    return new Maps.MapIs(known.epoch(), known.epoch() > haveEpoch ? bytes : Bytes.EMPTY);
  }

  @Override
  public void mapArrived(Maps.MapIs message) {
    source.arrived(message);
  }

  @Override
  public void fetchMap() {
    if (timers.nanos() - fetchedNanos < FETCH_NANOS) return;
    fetchedNanos = timers.nanos();
    source.fetch(mapEpoch());
  }

  @Override
  public boolean away(SeatId seat) {
    SeatEntry entry = entryOf(seat);
    return entry != null && entry.away();
  }

  @Override
  public String serverOf(SeatId seat) {
    SeatEntry entry = entryOf(seat);
    return entry == null ? seat.toString() : seat + " on server " + entry.server();
  }

  private @Nullable SeatEntry entryOf(SeatId seat) {
    return map == null ? null : map.seat(seat);
  }

  @Override
  public @Nullable Instance instance(int instance) {
    return map == null ? null : map.instance(instance);
  }

  @Override
  public boolean mayBeNew(int instance) {
    RingMap known = map;
    if (known == null) return true;
    // Numbers are given in order and never again.
    return known.ended().last() < instance
        && known.instances().stream().noneMatch(each -> each.id() >= instance);
  }

  @Override
  public boolean hasEnded(int instance) {
    RingMap known = map;
    return known != null && saysEnded(known, instance);
  }

  /** An instance has ended when the map says so, not when the map lacks it (P37). */
  @Rule("P37")
  private static boolean saysEnded(RingMap map, int instance) {
    return map.ended().contains(instance);
  }
}
