// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.store.RecordWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Flips bits of records at rest, in memory or on an SSD, where another member has an intact copy.
 * Journals and a seat's own state are left alone: they cannot be repaired.
 */
public final class BitFlips {
  /** The maximum number per run; each is in another record. */
  private static final int FLIPS_MAX = 30;

  private final World world;
  private final SplittableRandom random;
  private final TreeSet<RecordId> flipped = new TreeSet<>();

  BitFlips(World world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** Whether nothing was damaged. */
  public boolean none() {
    return flipped.isEmpty();
  }

  /** Flips a bit of some record of some seat; says whether there was one. */
  boolean flip() {
    SeatNode node = world.seats().get(random.nextInt(world.seats().size()));
    if (!node.isAlive() || flipped.size() == FLIPS_MAX) return false;
    List<RecordId> candidates = candidates(node);
    if (candidates.isEmpty()) return false;
    RecordId record = candidates.get(random.nextInt(candidates.size()));
    if (!node.flipBit(record, random)) return false;
    flipped.add(record);
    world.trace().said(world.nanos(), node.host(), "a bit of record " + record + " flips");
    return true;
  }

  /** Records of the seat of which another seat has a copy. */
  private List<RecordId> candidates(SeatNode node) {
    List<RecordId> found = new ArrayList<>();
    RecordWalk walk = node.store().walk();
    boolean more = true;
    while (more) {
      more =
          walk.next(
              (id, file, group, bytes) -> {
                boolean spared = !flipped.contains(id) && isElsewhere(node, new GroupId(group), id);
                if (spared) found.add(id);
              });
    }
    return found;
  }

  /** Whether another member that counts as current, and lives, has the record. */
  private boolean isElsewhere(SeatNode node, GroupId id, RecordId record) {
    RingMap map = world.map();
    Group group = map == null ? null : map.group(id);
    if (map == null || group == null) return false;
    for (Group.Member member : group.members()) {
      SeatEntry entry = map.seat(member.seat());
      if (entry == null || !member.current() || entry.server().equals(node.host())) continue;
      SeatNode other = world.seatAt(entry.server());
      boolean here = other.isAlive() && other.store().present(record);
      if (here && other.store().group(record) == id.number()) return true;
    }
    return false;
  }

  /** Restarts every seat with damaged records, so that its recovery finds all of them. */
  public void restartDamaged() {
    for (SeatNode node : world.seats()) {
      if (node.flipped().isEmpty() || !node.isRunning()) continue;
      node.kill();
      node.start();
    }
  }

  /** Whether every seat has repaired its damaged records, as far as another seat has them. */
  public boolean mended() {
    RingMap map = world.map();
    if (map == null) return false;
    for (SeatNode node : world.seats()) {
      if (node.isAlive() && !mended(map, node)) return false;
    }
    return true;
  }

  private boolean mended(RingMap map, SeatNode node) {
    for (RecordId record : node.flipped()) {
      if (node.store().present(record)) continue;
      for (Group group : map.groups()) {
        if (isMember(map, group, node) && isElsewhere(node, group.id(), record)) return false;
      }
    }
    return true;
  }

  private static boolean isMember(RingMap map, Group group, SeatNode node) {
    return group.members().stream()
        .map(member -> map.seat(member.seat()))
        .anyMatch(entry -> entry != null && entry.server().equals(node.host()));
  }
}
