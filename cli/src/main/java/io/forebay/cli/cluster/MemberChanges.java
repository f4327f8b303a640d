// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.remote.Unavailability;
import io.forebay.cli.terminal.Brief;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The pending changes of the groups' members.
 *
 * @param belowCopies groups with fewer current members than copies
 * @param waiting for each group without a current member, what it waits for
 * @param changing groups with a live member that is being repaired or waits for its repair
 * @param toMove groups with leaving members
 * @param leaving leaving servers
 */
record MemberChanges(
    int belowCopies, List<String> waiting, int changing, int toMove, List<String> leaving) {
  private static final int WAITING_MAX = 8;

  static MemberChanges of(RingMap map) {
    int belowCopies = 0;
    List<String> waiting = new ArrayList<>();
    int changing = 0;
    int toMove = 0;
    for (Group group : map.groups()) {
      if (!group.isWhole()) belowCopies++;
      String obstacle = Unavailability.of(map, group);
      if (obstacle != null) waiting.add(obstacle);
      boolean changes = false;
      boolean moves = false;
      for (Group.Member member : group.members()) {
        SeatEntry seat = map.seat(member.seat());
        if (seat == null) continue;
        // Without a current member there is no source to bring it up to date from.
        changes |= !member.current() && !seat.away() && group.currentMembers() > 0;
        moves |= seat.stay() == SeatEntry.Stay.LEAVING;
      }
      if (changes) changing++;
      if (moves) toMove++;
    }
    List<String> leaving =
        map.seats().stream()
            .filter(seat -> seat.stay() == SeatEntry.Stay.LEAVING)
            .map(SeatEntry::server)
            .distinct()
            .toList();
    return new MemberChanges(belowCopies, waiting, changing, toMove, leaving);
  }

  /** For people; nothing if all is as it should be. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    if (belowCopies > 0) sentences.add("below copies: " + Brief.counted(belowCopies, "group"));
    sentences.addAll(waiting.subList(0, Math.min(WAITING_MAX, waiting.size())));
    if (waiting.size() > WAITING_MAX) {
      sentences.add("and " + (waiting.size() - WAITING_MAX) + " more groups are unavailable");
    }
    if (changing > 0)
      sentences.add("being brought up to date: members of " + Brief.counted(changing, "group"));
    if (!leaving.isEmpty()) {
      sentences.add(
          "leaving: "
              + String.join(", ", leaving)
              + "; "
              + Brief.counted(toMove, "group")
              + " to move");
    }
    return sentences;
  }
}
