// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.agreement;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import java.util.HashMap;
import java.util.Map;

/**
 * A manager that lost its log goes on from no older map than one that a seat of that map followed,
 * gives no group an epoch that it had in the lost past, and no two maps of one epoch are followed
 * (P36).
 */
public final class RecoveryAudit extends Audit {
  // Looked up only.
  private final Map<String, Long> followed = new HashMap<>();
  private final Map<Long, Bytes> maps = new HashMap<>();
  private final Map<GroupId, Long> epochs = new HashMap<>();
  private final Map<GroupId, Long> past = new HashMap<>();
  private long mapped;

  public RecoveryAudit(World world) {
    super(world);
  }

  @Override
  public void look() {
    for (SeatNode seat : world().seats()) {
      RingMap map = seat.isAlive() ? seat.seat().map() : null;
      if (map == null || Long.valueOf(map.epoch()).equals(followed.put(seat.host(), map.epoch()))) {
        continue;
      }
      compare(seat.host(), map);
    }
    RingMap map = world().map();
    if (map == null || map.epoch() == mapped) return;
    mapped = map.epoch();
    compare(world().manager().host(), map);
    past.forEach(
        (id, epoch) -> {
          Group group = map.group(id);
          if (group == null || group.epoch() > epoch) return;
          broken(
              "P36", "the recovered manager gave " + id + " the epoch " + group.epoch() + " again");
        });
  }

  private void compare(String host, RingMap map) {
    Bytes content = RingMapCodec.write(map);
    Bytes other = maps.putIfAbsent(map.epoch(), content);
    if (other != null && !other.equals(content)) {
      broken("P36", host + " has another map of epoch " + map.epoch() + " than was there before");
    }
    for (Group group : map.groups()) epochs.merge(group.id(), group.epoch(), Math::max);
  }

  @Override
  public void recovered(RingMap from) {
    for (SeatEntry seat : from.seats()) {
      long epoch = followed.getOrDefault(seat.server(), 0L);
      if (seat.stay() == SeatEntry.Stay.LEFT || epoch <= from.epoch()) continue;
      broken(
          "P36",
          "the manager is recovered from the map of epoch %d, and %s has followed that of epoch %d"
              .formatted(from.epoch(), seat.server(), epoch));
    }
    past.putAll(epochs);
  }
}
