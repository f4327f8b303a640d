// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.agreement;

import io.forebay.base.Bytes;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.world.ManagerNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Several managers decide as one (P33): two of them never have different maps of an epoch, an
 * instance that was acknowledged is in every later map, and no instance is made twice for one
 * request. A manager grants no lease long after another one has begun to lead (P34), and none stops
 * because another one leads (P35).
 */
public final class AgreementAudit extends Audit {
  /** How long a deposed manager may grant leases, with a margin for clocks that stand still. */
  private static final long GRANTS_NANOS_MAX = 700_000_000L;

  // Looked up only.
  private final Map<Long, Bytes> maps = new HashMap<>();
  private final Map<Long, Integer> made = new HashMap<>();
  private final Set<Integer> acknowledged = new HashSet<>();
  private final Map<String, Long> looked = new HashMap<>();
  private long acknowledgedEpoch;

  public AgreementAudit(World world) {
    super(world);
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (!world().isManager(from)) return;
    if (message instanceof Maps.InstanceMade answer) {
      acknowledged.add(answer.instance());
      acknowledgedEpoch = Math.max(acknowledgedEpoch, answer.ringEpoch());
    } else if (message instanceof Maps.LeaseGranted) {
      granted(from);
    } else if (message instanceof Replies.Failed failed
        && failed.detail().contains("has stopped")) {
      broken("P35", from + " stopped: " + failed.detail());
    }
  }

  private void granted(String manager) {
    long succeededNanos = world().nanos() - world().ledSinceNanos();
    if (world().isLastLeader(manager) || succeededNanos <= GRANTS_NANOS_MAX) return;
    broken(
        "P34",
        "%s granted a lease %d ms after another manager began to lead"
            .formatted(manager, succeededNanos / 1_000_000));
  }

  /** An instance was made for a request, as its sender was told. */
  public void made(long op, int instance) {
    Integer before = made.putIfAbsent(op, instance);
    if (before != null && before != instance) {
      broken("P33", "request " + op + " made instances " + before + " and " + instance);
    }
  }

  @Override
  public void look() {
    for (ManagerNode manager : world().managers()) {
      RingMap map = manager.map();
      if (map == null
          || Long.valueOf(map.epoch()).equals(looked.put(manager.host(), map.epoch()))) {
        continue;
      }
      compare(manager.host(), map);
    }
  }

  private void compare(String host, RingMap map) {
    Bytes content = RingMapCodec.write(map);
    Bytes other = maps.putIfAbsent(map.epoch(), content);
    if (other != null && !other.equals(content)) {
      broken("P33", host + " has another map of epoch " + map.epoch() + " than a manager before");
    }
    if (map.epoch() < acknowledgedEpoch) return;
    for (int instance : acknowledged) {
      if (map.instance(instance) == null && !map.ended().contains(instance)) {
        broken("P33", host + " has forgotten instance " + instance + " in epoch " + map.epoch());
      }
    }
  }
}
