// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The seats that share the domains of files, created once and used for many files. The groups they
 * hold are numbered, so that bytes can be counted in an array.
 */
public final class Holders {
  /** More seats than this do not share one file. */
  public static final int COUNT_MAX = 4096;

  private final List<Holder> holders;
  private final int[] groups;
  private final int[][] groupsOfHolder;

  /** Takes the seats in this order. */
  public Holders(List<Holder> holders) {
    if (holders.isEmpty() || holders.size() > COUNT_MAX) {
      throw new IllegalArgumentException(
          holders.size() + " holders; there must be 1 to " + COUNT_MAX);
    }
    this.holders = List.copyOf(holders);
    TreeSet<Integer> numbers = new TreeSet<>();
    for (Holder holder : holders) {
      for (GroupId group : holder.has()) numbers.add(group.number());
    }
    groups = numbers.stream().mapToInt(Integer::intValue).toArray();
    groupsOfHolder = new int[holders.size()][];
    for (int i = 0; i < groupsOfHolder.length; i++) {
      groupsOfHolder[i] =
          holders.get(i).has().stream()
              .mapToInt(group -> indexOfGroup(group.number()))
              .distinct()
              .toArray();
    }
  }

  public int count() {
    return holders.size();
  }

  public Holder get(int holder) {
    return holders.get(holder);
  }

  /** The same without a seat; empty lists are refused as always. */
  Holders without(SeatId seat) {
    return new Holders(holders.stream().filter(each -> !each.seat().equals(seat)).toList());
  }

  int indexOf(Holder holder) {
    return holders.indexOf(holder);
  }

  /** How many groups any of them holds. */
  int groupCount() {
    return groups.length;
  }

  /** The index of a group from 0 on, or a negative number if no holder has it. */
  int indexOfGroup(int group) {
    return Arrays.binarySearch(groups, group);
  }

  /** How many of these bytes, counted by group, a holder has. */
  long bytesOf(int holder, long[] groupBytes) {
    long bytes = 0;
    for (int group : groupsOfHolder[holder]) bytes += groupBytes[group];
    return bytes;
  }
}
