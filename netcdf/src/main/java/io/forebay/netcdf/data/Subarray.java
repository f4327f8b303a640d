// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.data;

import java.util.Arrays;

/**
 * A rectangular part of a variable: along each dimension where it starts, how many elements it has,
 * and how far these are apart.
 */
public final class Subarray {
  private final long[] start;
  private final long[] count;
  private final long[] stride;

  private Subarray(long[] start, long[] count, long[] stride) {
    if (start.length != count.length || start.length != stride.length) {
      throw new IllegalArgumentException(
          "%d starts, %d counts, %d strides".formatted(start.length, count.length, stride.length));
    }
    this.start = start;
    this.count = count;
    this.stride = stride;
  }

  /** Elements side by side. */
  public static Subarray of(long[] start, long[] count) {
    return new Subarray(start.clone(), count.clone(), ones(start.length));
  }

  /** Elements that are apart. */
  public static Subarray strided(long[] start, long[] count, long[] stride) {
    return new Subarray(start.clone(), count.clone(), stride.clone());
  }

  /** One element; for a variable without dimensions without any index. */
  public static Subarray at(long... index) {
    return new Subarray(index.clone(), ones(index.length), ones(index.length));
  }

  private static long[] ones(int length) {
    long[] ones = new long[length];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** How many dimensions it has. */
  public int dimensions() {
    return start.length;
  }

  public long start(int dimension) {
    return start[dimension];
  }

  public long count(int dimension) {
    return count[dimension];
  }

  public long stride(int dimension) {
    return stride[dimension];
  }

  /** The last index along a dimension; only if there are elements. */
  public long last(int dimension) {
    return Math.addExact(
        start[dimension], Math.multiplyExact(count[dimension] - 1, stride[dimension]));
  }

  /** How many elements there are in all. */
  public long elements() {
    long elements = 1;
    for (long n : count) elements = Math.multiplyExact(elements, n);
    return elements;
  }

  public boolean isStrided() {
    for (long n : stride) {
      if (n != 1) return true;
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Subarray that
        && Arrays.equals(start, that.start)
        && Arrays.equals(count, that.count)
        && Arrays.equals(stride, that.stride);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(start) * 31 + Arrays.hashCode(count);
  }

  @Override
  public String toString() {
    String text = "start " + Arrays.toString(start) + " count " + Arrays.toString(count);
    return isStrided() ? text + " stride " + Arrays.toString(stride) : text;
  }
}
