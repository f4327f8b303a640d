// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.ended;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Numbers of instances that have ended, as ranges. Numbers are given in ascending order and never
 * again, so there are hardly more ranges than instances that live between them, however many have
 * ended. A number that is in no range has not ended as far as this says: the instance lives, or was
 * made later, or its number was never given.
 *
 * @param ranges ascending, with a number between each two
 */
public record EndedInstances(List<Range> ranges) {
  /** No instance has ended. */
  public static final EndedInstances NONE = new EndedInstances(List.of());

  /** All numbers from the first to the last. */
  public record Range(int first, int last) {
    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if there is no number in it, or one that no instance has
     */
    public Range {
      if (first < 1 || last < first) {
        throw new IllegalArgumentException("instances from " + first + " to " + last);
      }
    }
  }

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if two ranges touch or are not in order
   */
  public EndedInstances {
    ranges = List.copyOf(ranges);
    for (int i = 1; i < ranges.size(); i++) {
      // As a difference, since the last number may be the highest there is.
      if (ranges.get(i).first() - (long) ranges.get(i - 1).last() < 2) {
        throw new IllegalArgumentException(ranges.get(i - 1) + " before " + ranges.get(i));
      }
    }
  }

  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Whether the instance of that number has ended. */
  public boolean contains(int number) {
    int at = rangeBefore(number);
    return at >= 0 && ranges.get(at).last() >= number;
  }

  /** The highest number that has ended, or 0. */
  public int last() {
    return ranges.isEmpty() ? 0 : ranges.get(ranges.size() - 1).last();
  }

  /** How many have ended. */
  public long count() {
    long count = 0;
    for (Range each : ranges) count += (long) each.last() - each.first() + 1;
    return count;
  }

  /** The same and one more. */
  public EndedInstances with(int number) {
    if (contains(number)) return this;
    int before = rangeBefore(number);
    int after = before + 1;
    boolean joinsBefore = before >= 0 && ranges.get(before).last() == number - 1;
    boolean joinsAfter = after < ranges.size() && ranges.get(after).first() - 1 == number;
    int first = joinsBefore ? ranges.get(before).first() : number;
    int last = joinsAfter ? ranges.get(after).last() : number;
    List<Range> more = new ArrayList<>(ranges.subList(0, joinsBefore ? before : after));
    more.add(new Range(first, last));
    more.addAll(ranges.subList(joinsAfter ? after + 1 : after, ranges.size()));
    return new EndedInstances(more);
  }

  /** The same and the others. */
  public EndedInstances and(EndedInstances others) {
    if (without(others).isEmpty()) return others;
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.addAll(others.ranges);
    sorted.sort(Comparator.comparingInt(Range::first));
    List<Range> joined = new ArrayList<>();
    for (Range each : sorted) {
      int end = joined.size() - 1;
      if (end < 0 || each.first() - (long) joined.get(end).last() > 1) {
        joined.add(each);
      } else {
        Range before = joined.get(end);
        joined.set(end, new Range(before.first(), Math.max(before.last(), each.last())));
      }
    }
    return new EndedInstances(joined);
  }

  /** Those that are not among the others. */
  public EndedInstances without(EndedInstances others) {
    if (equals(others)) return NONE;
    List<Range> left = new ArrayList<>();
    int next = 0;
    for (Range each : ranges) {
      long from = each.first();
      while (next < others.ranges.size() && others.ranges.get(next).last() < from) next++;
      for (int i = next; i < others.ranges.size(); i++) {
        Range other = others.ranges.get(i);
        if (other.first() > each.last()) break;
        if (other.first() > from) left.add(new Range((int) from, other.first() - 1));
        from = other.last() + 1L;
      }
      if (from <= each.last()) left.add(new Range((int) from, each.last()));
    }
    return new EndedInstances(left);
  }

  /** The index of the last range that begins at that number or before, or -1. */
  private int rangeBefore(int number) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).first() <= number) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
