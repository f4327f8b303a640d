// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.set;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A set of numbers kept as ranges, for numbers that come in runs: a run costs one entry. */
public final class LongRanges {
  /** Is shown ranges in order, both ends included. */
  public interface Visitor {
    void range(long first, long last);
  }

  private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

  public boolean isEmpty() {
    return lastByFirst.isEmpty();
  }

  public boolean contains(long value) {
    Map.Entry<Long, Long> floor = lastByFirst.floorEntry(value);
    return floor != null && floor.getValue() >= value;
  }

  /** The lowest number in the set that is not below the given one, or null. */
  public @Nullable Long firstFrom(long value) {
    return contains(value) ? Long.valueOf(value) : lastByFirst.ceilingKey(value);
  }

  /** Adds one number; false if it was there. */
  public boolean add(long value) {
    if (contains(value)) return false;
    add(value, value);
    return true;
  }

  /** Adds all numbers of a range, both ends included; none of them may be there. */
  public void add(long first, long last) {
    if (first > last) throw new IllegalArgumentException("no range: " + first + " to " + last);
    long from = first;
    long to = last;
    Map.Entry<Long, Long> before = lastByFirst.floorEntry(last);
    if (before != null && before.getValue() >= first) {
      throw new IllegalArgumentException(before.getValue() + " is there already");
    }
    if (before != null && before.getValue() == first - 1) from = before.getKey();
    if (last < Long.MAX_VALUE) {
      Long after = lastByFirst.remove(last + 1);
      if (after != null) to = after;
    }
    lastByFirst.put(from, to);
  }

  /** Takes one number out; false if it was not there. */
  public boolean remove(long value) {
    Map.Entry<Long, Long> floor = lastByFirst.floorEntry(value);
    if (floor == null || floor.getValue() < value) return false;
    long first = floor.getKey();
    long last = floor.getValue();
    if (first < value) lastByFirst.put(first, value - 1);
    else lastByFirst.remove(first);
    if (last > value) lastByFirst.put(value + 1, last);
    return true;
  }

  public void forEach(Visitor visitor) {
    lastByFirst.forEach(visitor::range);
  }
}
