// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.drain.reorder.Pieces;
import java.util.ArrayList;
import java.util.List;

/** Plans for tests: seats with groups of so many copies along the ring. */
final class Plans {
  static final int MIB = 1 << 20;

  private Plans() {}

  static GroupId group(int seat, int copies) {
    return GroupId.of(new SeatId(seat), copies);
  }

  /** Seats whose groups are kept by themselves and their successors. */
  static Holders holders(int seats, int copies) {
    List<Holder> holders = new ArrayList<>();
    for (int seat = 0; seat < seats; seat++) {
      List<GroupId> has = new ArrayList<>();
      for (int back = 0; back < copies; back++) {
        has.add(group(Math.floorMod(seat - back, seats), copies));
      }
      holders.add(new Holder(new SeatId(seat), group(seat, copies), has));
    }
    return new Holders(holders);
  }

  /** Source s is in the group of seat s modulo the number of seats. */
  static Participants participants(int seats, int copies) {
    return new Participants(
        holders(seats, copies), source -> group(source % seats, copies).number(), 0);
  }

  static DrainPlan plan(Pieces pieces, long sizeBytes, WriteRules rules, Participants with) {
    DrainPlanner.Planning planning = DrainPlanner.plan(pieces, sizeBytes, rules, with);
    assertThat(planning).isInstanceOf(DrainPlanner.Planning.Planned.class);
    return ((DrainPlanner.Planning.Planned) planning).plan();
  }

  /** A file without holes, in pieces that are from one source after the other. */
  static Pieces inTurns(long sizeBytes, int pieceBytes, int sources) {
    Pieces pieces = new Pieces(0);
    long offset = 0;
    for (int i = 0; offset < sizeBytes; i++) {
      int bytes = (int) Math.min(pieceBytes, sizeBytes - offset);
      pieces.append(offset, bytes, i % sources, (long) i / sources * pieceBytes);
      offset += bytes;
    }
    return pieces;
  }
}
