// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.ByteSize;
import io.forebay.base.SeatId;
import io.forebay.cli.managers.ManagersText;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A cluster's status for people, within a hundred columns. */
final class StatusTables {
  private static final String NONE = "-";
  private static final String INSECURE =
      "INSECURE: every program that reaches this cluster can read, change and delete all data";

  private static final int SERVER_CHARS_MAX = 14;
  private static final int LISTED_MAX = 8;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final ClusterStatus now;
  private final @Nullable ClusterStatus before;
  private final PrintWriter out;

  private StatusTables(ClusterStatus now, @Nullable ClusterStatus before, PrintWriter out) {
    this.now = now;
    this.before = before;
    this.out = out;
  }

  /**
   * Prints the map, the seats in the order of the ring, and the groups.
   *
   * @param before an earlier status, for rates; null shows totals
   */
  static void print(ClusterStatus now, @Nullable ClusterStatus before, PrintWriter out) {
    StatusTables tables = new StatusTables(now, before, out);
    if (now.isInsecure()) out.println(INSECURE);
    tables.printMap();
    out.println();
    tables.printSeats();
    out.println();
    tables.printGroups();
    tables.printStrained();
    tables.printReplaced();
    MemberChanges.of(now.map()).sentences().forEach(sentence -> out.println("\n" + sentence));
    now.manager().refused().forEach(sentence -> out.println("\n" + sentence));
    now.protections().forEach(sentence -> out.println("\n" + sentence));
    now.silent().forEach(tables::printSilent);
  }

  private void printSilent(SeatId id, String why) {
    SeatEntry seat = now.map().seat(id);
    if (seat == null || !isPast(seat)) out.println("\n" + id + " does not answer: " + why);
  }

  private void printMap() {
    RingMap map = now.map();
    Statuses.ManagerStatus manager = now.manager();
    out.println(
        "cluster %016x, map %d, manager %s in term %d, %s"
            .formatted(map.cluster(), map.epoch(), manager.state(), manager.term(), servers()));
    out.println(ManagersText.sentence(manager.managers()));
    List<String> names = new ArrayList<>();
    for (Instance instance : map.instances()) {
      names.add(instance.name());
    }
    out.println("instances: " + (names.isEmpty() ? "none" : String.join(", ", names)));
    List<String> few = new ArrayList<>();
    for (Group group : map.groups()) {
      if (!group.isWhole()) few.add(number(group));
    }
    if (few.isEmpty()) return;
    out.println("degraded, with fewer current members than copies: groups " + listed(few));
  }

  /** How many servers have seats that have neither left nor been replaced. */
  private String servers() {
    long servers = current().stream().map(SeatEntry::server).distinct().count();
    return servers == 1 ? "1 server" : servers + " servers";
  }

  private List<SeatEntry> current() {
    return now.map().seats().stream().filter(seat -> !isPast(seat)).toList();
  }

  private static String number(Group group) {
    return group.id().origin().number() + "x" + group.id().copies();
  }

  private static String listed(List<String> names) {
    List<String> shown = names.subList(0, Math.min(LISTED_MAX, names.size()));
    String more = names.size() > LISTED_MAX ? " and " + (names.size() - LISTED_MAX) + " more" : "";
    return String.join(", ", shown) + more;
  }

  private void printSeats() {
    boolean rates = before != null;
    Table table =
        new Table(
            3,
            "seat",
            "server",
            "next",
            "map",
            "memory",
            "ssd",
            "records",
            "live",
            rates ? "put/s" : "put",
            rates ? "copied/s" : "copied",
            rates ? "got/s" : "got",
            "up");
    List<SeatEntry> ring = current();
    for (int i = 0; i < ring.size(); i++) {
      SeatEntry seat = ring.get(i);
      String next = Integer.toString(ring.get((i + 1) % ring.size()).id().number());
      Statuses.SeatStatus status = now.of(seat.id());
      if (status == null) {
        table.row(
            number(seat.id()),
            server(seat),
            next,
            absence(seat),
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE);
        continue;
      }
      table.row(
          number(seat.id()),
          server(seat),
          next,
          Long.toString(status.ringEpoch()),
          tier(status.memory()),
          tier(status.ssd()),
          Long.toString(status.records()),
          Brief.size(status.liveBytes()),
          flow(seat.id(), status.counters().putBytes(), Flow.PUT),
          flow(seat.id(), status.counters().copyBytes(), Flow.COPY),
          flow(seat.id(), status.counters().getBytes(), Flow.GET),
          Brief.duration(status.upNanos()));
    }
    table.print(out);
  }

  /**
   * Whether a seat no longer exists: it has left, or its server runs with another log. All seats of
   * a server are in one process, so a seat that is away while another seat of its server answers
   * will not come back.
   */
  private boolean isPast(SeatEntry seat) {
    return seat.stay() == SeatEntry.Stay.LEFT || isReplaced(seat);
  }

  private boolean isReplaced(SeatEntry seat) {
    boolean absent = seat.away() || seat.stay() == SeatEntry.Stay.GONE;
    if (!absent || now.of(seat.id()) != null) return false;
    return now.map().seats().stream()
        .anyMatch(each -> each.server().equals(seat.server()) && now.of(each.id()) != null);
  }

  /** Seats whose server came back without their log. */
  private void printReplaced() {
    for (SeatEntry seat : now.map().seats()) {
      if (seat.stay() == SeatEntry.Stay.LEFT || !isReplaced(seat)) continue;
      out.println(
          "\n%s is not shown: server %s runs %s; other seats take its groups over"
              .formatted(seat.id(), seat.server(), insteadOf(seat)));
    }
  }

  private String insteadOf(SeatEntry replaced) {
    for (SeatEntry seat : now.map().seats()) {
      boolean sameAddress = seat.addresses().stream().anyMatch(replaced.addresses()::contains);
      if (sameAddress && now.of(seat.id()) != null) return seat.id() + " with another log instead";
    }
    return "without its log";
  }

  /** Seats that are short of room, and why writers wait. */
  private void printStrained() {
    for (SeatEntry seat : now.map().seats()) {
      Statuses.SeatStatus status = now.of(seat.id());
      if (status == null) continue;
      printMemory(seat, status.memory());
      if (status.state().equals("ok") && status.pressure().isEmpty()) continue;
      String waits = status.pressure().isEmpty() ? "" : "; writers wait: " + status.pressure();
      out.println("\n" + seat.id() + " on server " + seat.server() + ": " + status.state() + waits);
    }
  }

  /** How much of a seat's memory is missing, or is lost when its process ends. */
  private void printMemory(SeatEntry seat, Statuses.Tier memory) {
    String start = "\n" + seat.id() + " on server " + seat.server() + ": ";
    if (memory.missingBytes() > 0) {
      out.println(
          start
              + ByteSize.format(memory.missingBytes())
              + " of its memory found no room; free some in its memory-root");
    }
    if (memory.anonymousBytes() > 0) {
      out.println(
          start
              + ByteSize.format(memory.anonymousBytes())
              + " of its memory is anonymous"
              + (seat.ssdBytes() > 0
                  ? ", so that what goes there is written to its disk first"
                  : ": what is kept there is lost when the server ends"));
    }
  }

  private static String absence(SeatEntry seat) {
    return switch (seat.stay()) {
      case LEFT -> "left";
      case GONE -> "gone";
      case HERE, LEAVING -> seat.away() ? "away" : "silent";
    };
  }

  private void printGroups() {
    Table table =
        new Table(3, "group", "members", "state", "epoch", "lease", "journal", "sessions", "puts");
    for (Group group : now.map().groups()) {
      Statuses.GroupStatus home = now.of(group.home(), group.id());
      table.row(
          number(group),
          members(group),
          group.currentMembers() == 0 ? "unavailable" : state(home),
          Long.toString(group.epoch()),
          home == null || home.leaseNanos() == 0 ? NONE : seconds(home.leaseNanos()),
          home == null ? NONE : home.journalFirst() + "-" + home.journalLast(),
          home == null ? NONE : Integer.toString(home.sessions()),
          home == null ? NONE : Integer.toString(home.putsUnderWay()));
    }
    table.print(out);
  }

  private static String state(Statuses.@Nullable GroupStatus home) {
    if (home == null) return "unknown";
    if (home.repairBytes() == 0) return home.state();
    return home.state()
        + ", repairing "
        + Brief.size(home.repairedBytes())
        + " of "
        + Brief.size(home.repairBytes());
  }

  /** The home first; after each of the others its state if that is unusual. */
  private String members(Group group) {
    StringBuilder text = new StringBuilder();
    for (Group.Member member : group.members()) {
      if (!text.isEmpty()) text.append(' ');
      text.append(member.seat().number());
      Statuses.GroupStatus status = now.of(member.seat(), group.id());
      if (!member.current()) text.append(member.resting() ? "(resting)" : "(not current)");
      else if (status == null) text.append("(silent)");
      else if (status.epoch() != group.epoch())
        text.append("(epoch ").append(status.epoch()).append(')');
    }
    return text.toString();
  }

  private enum Flow {
    PUT,
    COPY,
    GET;

    long of(Statuses.Counters counters) {
      return switch (this) {
        case PUT -> counters.putBytes();
        case COPY -> counters.copyBytes();
        case GET -> counters.getBytes();
      };
    }
  }

  private String flow(SeatId seat, long bytes, Flow flow) {
    if (before == null) return Brief.size(bytes);
    Statuses.SeatStatus earlier = before.of(seat);
    long nanos = now.nanos() - before.nanos();
    if (earlier == null || nanos <= 0) return NONE;
    long moved = Math.max(0, bytes - flow.of(earlier.counters()));
    return Brief.size((long) (moved * (double) SECOND_NANOS / nanos));
  }

  private static String number(SeatId seat) {
    return Integer.toString(seat.number());
  }

  private static String server(SeatEntry seat) {
    return Brief.end(seat.server(), SERVER_CHARS_MAX);
  }

  private static String tier(Statuses.Tier tier) {
    return tier.totalBytes() == 0
        ? NONE
        : Brief.size(tier.usedBytes()) + "/" + Brief.size(tier.totalBytes());
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1fs", nanos / 1e9);
  }
}
