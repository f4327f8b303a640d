// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Assigns each domain to a holder: to one that already has most of its bytes, as long as no holder
 * gets more than the mean and one domain; the rest goes to the holders with the least. There is
 * always a candidate: the holder with the least is not above the mean.
 */
final class Assignment {
  private static final int NOBODY = -1;

  /** A domain, a holder that has bytes of it, and how many. */
  private record Wish(int domain, int place, long bytes) {}

  private final DomainLoads loads;
  private final int[] holderOf;
  private final long[] bytesOf;
  private final int first;
  private long boundBytes;

  private Assignment(DomainLoads loads, int domains, int holders, int first) {
    this.loads = loads;
    this.holderOf = new int[domains];
    this.bytesOf = new long[holders];
    this.first = first;
    Arrays.fill(holderOf, NOBODY);
  }

  /**
   * The holder of each domain.
   *
   * @param first the holder that comes first among equals; should differ from file to file
   */
  static int[] of(DomainLoads loads, int domains, int holders, int first) {
    Assignment assignment = new Assignment(loads, domains, holders, first);
    assignment.assign();
    return assignment.holderOf;
  }

  private void assign() {
    long allBytes = 0;
    long largestBytes = 0;
    for (int domain = 0; domain < holderOf.length; domain++) {
      allBytes += loads.dataBytes(domain);
      largestBytes = Math.max(largestBytes, loads.dataBytes(domain));
    }
    boundBytes = allBytes / bytesOf.length + largestBytes;
    for (Wish wish : wishes()) {
      int holder = loads.preferred(wish.domain)[wish.place];
      if (holderOf[wish.domain] == NOBODY && allows(wish.domain, holder)) give(wish.domain, holder);
    }
    for (int domain = 0; domain < holderOf.length; domain++) {
      if (holderOf[domain] == NOBODY) give(domain, leastLoaded(domain));
    }
  }

  private List<Wish> wishes() {
    List<Wish> wishes = new ArrayList<>();
    for (int domain = 0; domain < holderOf.length; domain++) {
      long[] bytes = loads.preferredBytes(domain);
      for (int place = 0; place < bytes.length; place++) {
        wishes.add(new Wish(domain, place, bytes[place]));
      }
    }
    wishes.sort(
        Comparator.comparingLong(Wish::bytes)
            .reversed()
            .thenComparingInt(Wish::place)
            .thenComparingInt(Wish::domain));
    return wishes;
  }

  private boolean allows(int domain, int holder) {
    return bytesOf[holder] + loads.dataBytes(domain) <= boundBytes;
  }

  private void give(int domain, int holder) {
    holderOf[domain] = holder;
    bytesOf[holder] += loads.dataBytes(domain);
  }

  private int leastLoaded(int domain) {
    int best = NOBODY;
    for (int i = 0; i < bytesOf.length; i++) {
      int holder = (i + first + domain) % bytesOf.length;
      if (best == NOBODY || bytesOf[holder] < bytesOf[best]) best = holder;
    }
    return best;
  }
}
