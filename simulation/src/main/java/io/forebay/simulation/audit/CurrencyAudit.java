// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.store.RecordWalk;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * When the manager makes a member current, the member holds everything that was acknowledged (P8):
 * every record of the group that the home has and that was acknowledged to a client.
 */
public final class CurrencyAudit extends Audit {
  private final AcknowledgementAudit acknowledgements;
  private final PresenceAudit presence;
  private final Map<GroupId, Group> known = new TreeMap<>();
  private long epoch;
  private int made;

  public CurrencyAudit(World world, AcknowledgementAudit acknowledgements, PresenceAudit presence) {
    super(world);
    this.presence = presence;
    this.acknowledgements = acknowledgements;
  }

  /** How often a member was made current. */
  public int made() {
    return made;
  }

  @Override
  public void recovered(RingMap from) {
    known.clear();
    for (Group group : from.groups()) known.put(group.id(), group);
  }

  @Override
  public void look() {
    RingMap map = world().map();
    if (map == null || map.epoch() == epoch) return;
    epoch = map.epoch();
    for (Group group : map.groups()) {
      Group before = known.put(group.id(), group);
      if (before == null) continue;
      for (Group.Member member : group.members()) {
        if (member.current() && was(before, member)) check(map, group, member);
        Group.Member then = before.member(member.seat());
        boolean same = then != null && then.incarnation() == member.incarnation();
        boolean goesOn = group.restoration().epoch() > before.restoration().epoch();
        if (member.current() && !same && goesOn) {
          requireForced(map, group, member);
        } else if (member.current() && !same) {
          broken(
              "P8",
              "%s is current in %s without having been brought up to date"
                  .formatted(member.seat(), group.id()));
        }
      }
    }
  }

  /** Whether the member was there, in this incarnation, and was not current. */
  private static boolean was(Group before, Group.Member member) {
    Group.Member then = before.member(member.seat());
    return then != null && then.incarnation() == member.incarnation() && !then.current();
  }

  /** All members lost their memory: data that was acknowledged as forced still exists (P11). */
  private void requireForced(RingMap map, Group group, Group.Member member) {
    SeatNode node = nodeOf(map, member.seat());
    if (node == null) return;
    for (RecordId record : presence.forcedIn(group.id())) {
      if (!acknowledgements.heard(record) || node.store().present(record)) continue;
      if (presence.isDead(record)) continue;
      broken("P11", "%s goes on in %s without %s".formatted(node.host(), group.id(), record));
      return;
    }
  }

  private void check(RingMap map, Group group, Group.Member member) {
    made++;
    SeatNode home = nodeOf(map, group.home());
    SeatNode node = nodeOf(map, member.seat());
    if (home == null || node == null) return;
    TreeSet<RecordId> lacking = new TreeSet<>();
    RecordWalk walk = home.store().walk();
    boolean more = true;
    while (more) {
      more =
          walk.next(
              (id, file, number, bytes) -> {
                boolean counts = number == group.id().number() && acknowledgements.heard(id);
                if (!counts || node.store().present(id)) return;
                if (node.flipped().contains(id)) return;
                // A dying record is deleted on one seat after the other.
                if (!presence.isDead(id)) lacking.add(id);
              });
    }
    if (lacking.isEmpty()) return;
    broken(
        "P8",
        "%s was made current in %s without %d acknowledged records, such as %s"
            .formatted(node.host(), group.id(), lacking.size(), lacking.first()));
  }
}
