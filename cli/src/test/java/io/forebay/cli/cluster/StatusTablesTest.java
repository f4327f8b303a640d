// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tables with the widest values there can be, and with seats that say nothing. */
class StatusTablesTest {
  private static final int WIDTH_MAX = 100;
  private static final long LARGE = (1L << 60) - 1;
  private static final long SECOND = 1_000_000_000L;
  private static final SeatId FIRST = new SeatId(1);
  private static final SeatId SECOND_SEAT = new SeatId(4096);
  private static final GroupId GROUP = GroupId.of(FIRST, 2);

  private static RingMap map() {
    return new RingMap(
        -1,
        12,
        12_000_345,
        List.of(seat(FIRST), seat(SECOND_SEAT)),
        List.of(
            new Group(
                GROUP,
                17,
                List.of(
                    new Group.Member(FIRST, 1, true), new Group.Member(SECOND_SEAT, 1, false)))),
        List.of());
  }

  private static SeatEntry seat(SeatId id) {
    String server = "node-0123456789.example.org/forebay-" + id.number();
    return new SeatEntry(
        id, server, "host", 1, 2, 3, 4, List.of("127.0.0.1:1"), LARGE, LARGE, 1, false);
  }

  private static ClusterStatus status(long nanos, long putBytes) {
    return status(nanos, putBytes, false);
  }

  private static ClusterStatus status(long nanos, long putBytes, boolean insecure) {
    Statuses.SeatStatus seat =
        new Statuses.SeatStatus(
            FIRST,
            -1,
            12_000_345,
            100 * 86_400 * SECOND,
            new Statuses.Tier(LARGE, LARGE, 0, 0),
            new Statuses.Tier(LARGE, LARGE, 0, 0),
            99_999_999,
            LARGE,
            8,
            "ok",
            "",
            new Statuses.Counters(
                1, putBytes, 1, LARGE, 1, LARGE, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
            List.of(
                new Statuses.GroupStatus(
                    GROUP, 17, "home", "serving", 1, 99_999, SECOND, 12, 34, 0, 0, 0, 0)),
            List.of(new Statuses.LimitCount("connections", 3)),
            insecure);
    Statuses.ManagerStatus manager =
        new Statuses.ManagerStatus(
            "serving", List.of(), 12_000_345, 12, 3, 3, List.of(), List.of(), insecure, List.of());
    return new ClusterStatus(
        nanos,
        map(),
        manager,
        Map.of(FIRST, seat),
        Map.of(SECOND_SEAT, "no process listens there"),
        List.of());
  }

  private static String print(ClusterStatus now, ClusterStatus before) {
    StringWriter out = new StringWriter();
    StatusTables.print(now, before, new PrintWriter(out));
    return out.toString();
  }

  @Test
  void anInsecureClusterIsCalledThatFirst() {
    assertThat(print(status(0, 0, true), null)).startsWith("INSECURE: every program");
    assertThat(print(status(0, 0), null)).doesNotContain("INSECURE");
    assertThat(StatusJson.of(status(0, 0, true), null)).containsEntry("insecure", true);
    assertThat(StatusJson.of(status(0, 0), null)).containsEntry("insecure", false);
  }

  @Test
  void fitsHoweverLargeTheFigures() {
    String shown = print(status(0, LARGE), null);
    assertThat(shown.lines()).allMatch(line -> line.length() <= WIDTH_MAX);
    assertThat(shown)
        .contains("…org/forebay-1 ", "silent", "1023P/1023P", "100d")
        .contains("1x2", "1 4096(not current)", "1.0s", "1-99999")
        .contains("seat 4096 does not answer: no process listens there");
  }

  @Test
  void aSeatWhoseServerCameBackWithAnotherLogIsShownOnce() {
    ClusterStatus known = status(0, 0);
    SeatEntry wiped =
        new SeatEntry(
            new SeatId(7), seat(FIRST).server(), "host", 9, 9, 3, 4, List.of(), 1, 1, 1, true);
    SeatEntry left = seat(new SeatId(8)).withStay(SeatEntry.Stay.LEFT);
    RingMap map =
        new RingMap(-1, 12, 12_000_345, List.of(wiped, seat(FIRST), left), List.of(), List.of());
    String shown =
        print(
            new ClusterStatus(
                0,
                map,
                known.manager(),
                Map.of(FIRST, known.of(FIRST)),
                Map.of(wiped.id(), "gone"),
                List.of()),
            null);
    assertThat(shown.lines().filter(line -> line.contains("…org/forebay-1 "))).hasSize(1);
    assertThat(shown)
        .contains("in term 12, 1 server\n")
        .contains("seat 7 is not shown: server node-0123456789.example.org/forebay-1 runs without")
        .doesNotContain("does not answer", "seat 8");
    SeatEntry sameAddress =
        new SeatEntry(
            wiped.id(), wiped.server(), "host", 9, 9, 3, 4, seat(FIRST).addresses(), 1, 1, 1, true);
    RingMap replaced =
        new RingMap(-1, 12, 12_000_345, List.of(sameAddress, seat(FIRST)), List.of(), List.of());
    assertThat(
            print(
                new ClusterStatus(
                    0,
                    replaced,
                    known.manager(),
                    Map.of(FIRST, known.of(FIRST)),
                    Map.of(),
                    List.of()),
                null))
        .contains("forebay-1 runs seat 1 with another log instead;");
    SeatEntry away = seat(SECOND_SEAT).withAway(true);
    RingMap other =
        new RingMap(-1, 12, 12_000_345, List.of(seat(FIRST), away), List.of(), List.of());
    assertThat(
            print(
                new ClusterStatus(
                    0, other, known.manager(), Map.of(FIRST, known.of(FIRST)), Map.of(), List.of()),
                null))
        .contains("4096 ")
        .contains(" away ");
  }

  @Test
  void ratesAreOfTheTimeBetween() {
    ClusterStatus before = status(5 * SECOND, 1 << 20);
    ClusterStatus now = status(7 * SECOND, 21 << 20);
    assertThat(print(now, before)).contains("put/s").contains(" 10M ");
    assertThat(StatusJson.of(now, before)).containsEntry("intervalNanos", 2 * SECOND);
  }

  @Test
  void aGroupWithoutACurrentMemberIsNotBroughtUpToDate() {
    Group lost =
        new Group(
            GROUP,
            18,
            List.of(new Group.Member(FIRST, 2, false), new Group.Member(SECOND_SEAT, 2, false)));
    RingMap map = map();
    RingMap without =
        new RingMap(
            map.cluster(), map.term(), map.epoch(), map.seats(), List.of(lost), map.instances());
    ClusterStatus now = status(0, 0);
    String shown =
        print(
            new ClusterStatus(0, without, now.manager(), now.seats(), now.silent(), List.of()),
            null);
    assertThat(shown)
        .contains("unavailable", "none holds everything", "'forebay revive'")
        .doesNotContain("brought up to date");
  }
}
