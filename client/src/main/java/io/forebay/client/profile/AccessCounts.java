// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * The reads or the writes of a program, or of a program in a file.
 *
 * @param orders how many of each {@link Order}
 * @param pageUnaligned how many begin or end within a page of 4 KiB
 * @param stripeUnaligned how many begin within a stripe
 * @param stripeCrossing how many touch more than one stripe and are not made of whole stripes
 * @param buckets how many have sizes of 0, 1, 2 to 3, 4 to 7 and so on
 * @param sizes the most common sizes
 * @param strides the most common distances of accesses that skip something
 */
public record AccessCounts(
    long count,
    long bytes,
    List<Long> orders,
    long pageUnaligned,
    long stripeUnaligned,
    long stripeCrossing,
    List<Long> buckets,
    List<CommonValue> sizes,
    List<CommonValue> strides) {
  /** The last bucket has all sizes from 2 GiB on. */
  public static final int BUCKETS = 33;

  public AccessCounts {
    orders = List.copyOf(orders);
    buckets = List.copyOf(buckets);
    sizes = List.copyOf(sizes);
    strides = List.copyOf(strides);
  }

  public long of(Order order) {
    return orders.get(order.place());
  }

  /** How many were smaller than a power of two. */
  public long below(long powerOfTwo) {
    long sum = 0;
    for (int i = 0; i < bucket(powerOfTwo) && i < buckets.size(); i++) {
      sum += buckets.get(i);
    }
    return sum;
  }

  /** Where a size is counted: the number of its bits. */
  public static int bucket(long lengthBytes) {
    return Math.min(Long.SIZE - Long.numberOfLeadingZeros(lengthBytes), BUCKETS - 1);
  }

  /** The smallest size of a bucket. */
  public static long bucketBytesMin(int bucket) {
    return bucket == 0 ? 0 : 1L << (bucket - 1);
  }

  AccessCounts plus(AccessCounts other) {
    return new AccessCounts(
        count + other.count,
        bytes + other.bytes,
        sum(orders, other.orders),
        pageUnaligned + other.pageUnaligned,
        stripeUnaligned + other.stripeUnaligned,
        stripeCrossing + other.stripeCrossing,
        sum(buckets, other.buckets),
        CommonValue.sum(sizes, other.sizes),
        CommonValue.sum(strides, other.strides));
  }

  static List<Long> sum(List<Long> first, List<Long> second) {
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
      long a = i < first.size() ? first.get(i) : 0;
      long b = i < second.size() ? second.get(i) : 0;
      sums.add(a + b);
    }
    return sums;
  }
}
