package io.forebay.simulation;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.store.RecordWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the stores of all seats, a segment at a step: a record is the same wherever it is (its
 * length, file and checksums), and stands only on seats that are or were members of its group.
 */
final class RecordAudit {
  private record Known(FileId file, int group, int payloadBytes, Checksums checksums) {}

  private static final int KNOWN_MAX = 200_000;

  private final World world;
  private final Map<RecordId, Known> known = new TreeMap<>();
  private final Map<GroupId, Set<String>> members = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private long epoch;
  private int seat;
  private @Nullable RecordWalk walk;

  RecordAudit(World world) {
    this.world = world;
  }

  /** Looks at a little more, and says what is wrong with it. */
  List<String> check() {
    problems.clear();
    rememberMembers();
    SeatNode node = world.seats().get(seat);
    if (walk == null && node.isAlive()) walk = node.store().walk();
    boolean more =
        walk != null
            && node.isAlive()
            && walk.next((id, file, group, bytes) -> look(node, id, file, group, bytes));
    if (!more) {
      walk = null;
      seat = (seat + 1) % world.seats().size();
      if (known.size() > KNOWN_MAX) known.clear();
    }
    return List.copyOf(problems);
  }

  private void look(SeatNode node, RecordId id, FileId file, int group, int payloadBytes) {
    int blocks = BlockChecksums.count(payloadBytes);
    int[] checksums = node.store().checksums(id, 0, blocks);
    if (checksums == null) return;
    Known here = new Known(file, group, payloadBytes, Checksums.of(checksums));
    Known before = known.putIfAbsent(id, here);
    if (before != null && !before.equals(here)) {
      problems.add("record " + id + " on " + node.host() + " differs from its copies (I2)");
    }
    GroupId of = new GroupId(group);
    if (!members.getOrDefault(of, Set.of()).contains(node.host())) {
      problems.add("record " + id + " of " + of + " stands on " + node.host() + " (P1)");
    }
  }

  private void rememberMembers() {
    RingMap map = world.map();
    if (map == null || map.epoch() == epoch) return;
    epoch = map.epoch();
    for (Group group : map.groups()) {
      Set<String> servers = members.computeIfAbsent(group.id(), each -> new TreeSet<>());
      for (Group.Member member : group.members()) {
        SeatEntry entry = map.seat(member.seat());
        if (entry != null) servers.add(entry.server());
      }
    }
  }
}
