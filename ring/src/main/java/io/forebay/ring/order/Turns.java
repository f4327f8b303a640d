// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.order;

import java.util.Arrays;

/**
 * Orders places so that each comes as often as its weight says, as evenly spread as possible: of
 * all places, the next is the one that is furthest behind its part (smooth weighted round robin).
 * With equal weights, each comes once, in the given order. Pure.
 */
public final class Turns {
  /** Weights are scaled down to at most this many turns for each place. */
  public static final int TURNS_PER_PLACE_MAX = 16;

  private Turns() {}

  /** The places in turn; each at least once. */
  public static int[] inProportion(int[] weights) {
    int[] counts = reduced(weights);
    int total = Arrays.stream(counts).sum();
    int[] turns = new int[total];
    long[] credit = new long[counts.length];
    for (int turn = 0; turn < total; turn++) {
      int next = 0;
      for (int place = 0; place < counts.length; place++) {
        credit[place] += counts[place];
        if (credit[place] > credit[next]) next = place;
      }
      credit[next] -= total;
      turns[turn] = next;
    }
    return turns;
  }

  private static int[] reduced(int[] weights) {
    int divisor = 0;
    for (int weight : weights) divisor = gcd(divisor, weight);
    long total = 0;
    for (int weight : weights) total += weight / Math.max(1, divisor);
    long totalMax = (long) TURNS_PER_PLACE_MAX * weights.length;
    int[] counts = new int[weights.length];
    for (int i = 0; i < counts.length; i++) {
      long count = weights[i] / Math.max(1, divisor);
      if (total > totalMax) count = Math.round((double) count * totalMax / total);
      counts[i] = (int) Math.max(1, count);
    }
    return counts;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
