// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.AccessCounts;
import io.forebay.client.profile.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts the reads or the writes of a program, or of a program in a file. One owner. */
final class Accesses {
  static final int PAGE_BYTES = 4096;

  private static final Order[] ORDERS = Order.values();

  private final long stripeBytes;
  private final long[] orders = new long[ORDERS.length];
  private final long[] buckets = new long[AccessCounts.BUCKETS];
  private final CommonValues sizes = new CommonValues();
  private final CommonValues strides = new CommonValues();
  private long count;
  private long bytes;
  private long pageUnaligned;
  private long stripeUnaligned;
  private long stripeCrossing;

  Accesses(long stripeBytes) {
    this.stripeBytes = stripeBytes;
  }

  void add(long offset, long lengthBytes, Order order, long distance) {
    count++;
    bytes += lengthBytes;
    orders[order.place()]++;
    buckets[AccessCounts.bucket(lengthBytes)]++;
    sizes.add(lengthBytes);
    if (order == Order.STRIDED || order == Order.SEQUENTIAL) strides.add(distance);
    if (offset % PAGE_BYTES != 0 || lengthBytes % PAGE_BYTES != 0) pageUnaligned++;
    boolean begins = offset % stripeBytes == 0;
    if (!begins) stripeUnaligned++;
    boolean several =
        lengthBytes > 0 && offset / stripeBytes != (offset + lengthBytes - 1) / stripeBytes;
    if (several && !(begins && lengthBytes % stripeBytes == 0)) stripeCrossing++;
  }

  AccessCounts counted() {
    return new AccessCounts(
        count,
        bytes,
        list(orders),
        pageUnaligned,
        stripeUnaligned,
        stripeCrossing,
        list(buckets),
        sizes.counted(),
        strides.counted());
  }

  private static List<Long> list(long[] figures) {
    List<Long> list = new ArrayList<>(figures.length);
    for (long figure : figures) list.add(figure);
    return list;
  }

  void clear() {
    Arrays.fill(orders, 0);
    Arrays.fill(buckets, 0);
    sizes.clear();
    strides.clear();
    count = 0;
    bytes = 0;
    pageUnaligned = 0;
    stripeUnaligned = 0;
    stripeCrossing = 0;
  }
}
