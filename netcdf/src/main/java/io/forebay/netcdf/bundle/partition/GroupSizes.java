// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.partition;

import java.math.BigInteger;

/**
 * How many units (ranks or whole nodes) each bundle gets: one, and of the rest a share in
 * proportion to its size. What rounding leaves goes to the largest bundle. A larger bundle never
 * has a smaller group.
 */
final class GroupSizes {
  private GroupSizes() {}

  /**
   * Equation 3 of BPAR: {@code (n - B) * size / total + 1}, rounded down.
   *
   * @param ranks at least as many as there are bundles
   */
  static int[] balanced(int ranks, long[] sizes) {
    int[] result = new int[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      result[i] = share(ranks - sizes.length, sizes[i], sizes, Rounding.DOWN) + 1;
    }
    giveRest(result, sizes, ranks);
    return result;
  }

  /**
   * Equation 4, in nodes: {@code (nodes - B) * size / total + 1}, the closest whole number, which
   * with p ranks on each node is the closest multiple of p to {@code (n - B * p) * size / total +
   * p}.
   *
   * @param nodes at least as many as there are bundles
   */
  static int[] ofNodes(int nodes, long[] sizes) {
    int[] result = new int[sizes.length];
    for (int i = 0; i < sizes.length; i++) result[i] = closestNodes(nodes, sizes[i], sizes);
    giveRest(result, sizes, nodes);
    return result;
  }

  /** Equation 4 for one bundle, before what is left goes to the largest. */
  static int closestNodes(int nodes, long size, long[] sizes) {
    return share(nodes - sizes.length, size, sizes, Rounding.CLOSEST) + 1;
  }

  private enum Rounding {
    DOWN,
    CLOSEST
  }

  /**
   * How many of some units a bundle gets. Whole numbers, as {@code 49 * (1 / 49.0)} is below one.
   */
  private static int share(int units, long size, long[] sizes, Rounding rounding) {
    BigInteger total = BigInteger.ZERO;
    for (long each : sizes) total = total.add(BigInteger.valueOf(each));
    // Bundles always have planes; sizes of nothing would share nothing.
    total = total.max(BigInteger.ONE);
    BigInteger twice = BigInteger.valueOf(2L * units).multiply(BigInteger.valueOf(size));
    if (rounding == Rounding.CLOSEST) twice = twice.add(total);
    return twice.divide(total.shiftLeft(1)).intValueExact();
  }

  /**
   * Makes the sum exact. Rounding up may have given out too much: the largest groups return it, and
   * of groups of the same size the one with the smallest bundle.
   */
  private static void giveRest(int[] result, long[] sizes, int units) {
    int rest = units;
    for (int given : result) rest -= given;
    result[largest(sizes)] += Math.max(0, rest);
    for (; rest < 0; rest++) result[largestGroup(result, sizes)]--;
  }

  private static int largest(long[] sizes) {
    int largest = 0;
    for (int i = 1; i < sizes.length; i++) {
      if (sizes[i] > sizes[largest]) largest = i;
    }
    return largest;
  }

  private static int largestGroup(int[] groups, long[] sizes) {
    int largest = 0;
    for (int i = 1; i < groups.length; i++) {
      boolean smallerBundle = groups[i] == groups[largest] && sizes[i] < sizes[largest];
      if (groups[i] > groups[largest] || smallerBundle) largest = i;
    }
    return largest;
  }
}
