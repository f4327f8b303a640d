// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.use;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The bytes written within a moving window, in buckets of equal length. A bucket's number is the
 * wall time divided by that length. A byte counts for at least the window, and at most for one
 * bucket longer.
 */
public final class WriteWindow {
  /** A window is this many buckets long. */
  public static final int BUCKETS = 24;

  private long bucketMillis;
  private final TreeMap<Long, Long> buckets = new TreeMap<>();

  /** The length of the buckets of a window of that length. */
  public static long bucketMillis(long windowMillis) {
    return Math.max(1, windowMillis / BUCKETS);
  }

  /** The oldest bucket that counts while this one is filled. */
  public static long oldest(long bucket) {
    return bucket - BUCKETS;
  }

  /** From when on, in wall time, a bucket does not count any more. */
  public static long goneMillis(long bucket, long bucketMillis) {
    return (bucket + BUCKETS + 1) * bucketMillis;
  }

  /** The length of its buckets; 0 before the first bytes. */
  public long bucketMillis() {
    return bucketMillis;
  }

  /** Bytes by the number of their bucket, older ones that count no longer included. */
  public NavigableMap<Long, Long> buckets() {
    return Collections.unmodifiableNavigableMap(buckets);
  }

  /** Bytes were written; the length of buckets may have changed. */
  public void add(long lengthMillis, long bucket, long bytes) {
    if (lengthMillis < 1 || bytes < 0) return;
    if (lengthMillis != bucketMillis) changeLength(lengthMillis);
    // The clock was set back: what seems to be written later was written before.
    NavigableMap<Long, Long> later = buckets.tailMap(bucket, false);
    long moved = later.values().stream().mapToLong(Long::longValue).sum();
    later.clear();
    if (bytes + moved > 0) buckets.merge(bucket, bytes + moved, Long::sum);
    buckets.headMap(oldest(bucket), false).clear();
  }

  /** Each bucket goes where its end is, so that its bytes do not count for a shorter time. */
  private void changeLength(long lengthMillis) {
    TreeMap<Long, Long> others = new TreeMap<>();
    buckets.forEach(
        (bucket, bytes) ->
            others.merge(((bucket + 1) * bucketMillis - 1) / lengthMillis, bytes, Long::sum));
    bucketMillis = lengthMillis;
    buckets.clear();
    buckets.putAll(others);
  }

  /** How many bytes count while that bucket is filled. */
  public long bytes(long bucket) {
    return buckets.tailMap(oldest(bucket), true).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Restores a bucket from a snapshot. */
  void restore(long lengthMillis, long bucket, long bytes) {
    bucketMillis = lengthMillis;
    buckets.put(bucket, bytes);
  }
}
