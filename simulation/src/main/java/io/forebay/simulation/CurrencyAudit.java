package io.forebay.simulation;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.store.RecordWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whenever the manager makes a member current, it holds all that was acknowledged (P8): every
 * record of the group that the home has, and that a client was told is kept.
 */
final class CurrencyAudit {
  private final World world;
  private final AcknowledgementAudit acknowledgements;
  private final Map<GroupId, Group> known = new TreeMap<>();
  private long epoch;
  private int made;

  CurrencyAudit(World world, AcknowledgementAudit acknowledgements) {
    this.world = world;
    this.acknowledgements = acknowledgements;
  }

  /** How often a member was made current. */
  int made() {
    return made;
  }

  /** What is wrong with members that were made current since the last call. */
  List<String> check() {
    RingMap map = world.map();
    if (map == null || map.epoch() == epoch) return List.of();
    epoch = map.epoch();
    List<String> problems = new ArrayList<>();
    for (Group group : map.groups()) {
      Group before = known.put(group.id(), group);
      if (before == null) continue;
      for (Group.Member member : group.members()) {
        if (member.current() && was(before, member)) check(map, group, member, problems);
        Group.Member then = before.member(member.seat());
        boolean same = then != null && then.incarnation() == member.incarnation();
        if (member.current() && !same) {
          problems.add(
              "%s is current in %s without having been brought up to date (P8)"
                  .formatted(member.seat(), group.id()));
        }
      }
    }
    return problems;
  }

  /** Whether the member was there, in this incarnation, and was not current. */
  private static boolean was(Group before, Group.Member member) {
    return before.members().contains(new Group.Member(member.seat(), member.incarnation(), false));
  }

  private void check(RingMap map, Group group, Group.Member member, List<String> problems) {
    made++;
    SeatNode home = nodeOf(map.seat(group.home()));
    SeatNode node = nodeOf(map.seat(member.seat()));
    if (home == null || node == null) return;
    TreeSet<RecordId> lacking = new TreeSet<>();
    RecordWalk walk = home.store().walk();
    boolean more = true;
    while (more) {
      more =
          walk.next(
              (id, file, number, bytes) -> {
                boolean counts = number == group.id().number() && acknowledgements.heard(id);
                if (counts && !node.store().present(id)) lacking.add(id);
              });
    }
    if (lacking.isEmpty()) return;
    problems.add(
        "%s was made current in %s without %d acknowledged records, such as %s (P8)"
            .formatted(node.host(), group.id(), lacking.size(), lacking.first()));
  }

  private @Nullable SeatNode nodeOf(@Nullable SeatEntry seat) {
    if (seat == null) return null;
    SeatNode node = world.seatAt(seat.server());
    return node.isAlive() ? node : null;
  }
}
