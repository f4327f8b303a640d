// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.SeatId;
import java.util.List;

/**
 * What an instance has of a pool. Each granule of a share is kept for the instance on every member
 * of the group that starts from the share's seat.
 *
 * @param pool the pool, or empty for all
 * @param granuleBytes user bytes of a granule; 0 if nothing is promised
 * @param shares granules by seat, each seat once
 */
public record Allocation(String pool, long granuleBytes, List<Share> shares) {
  /** Any seats, and no promise. */
  public static final Allocation NONE = new Allocation("", 0, List.of());

  /** Granules of the group that starts from a seat. */
  public record Share(SeatId seat, int granules) {
    public Share {
      if (granules < 1) throw new IllegalArgumentException(seat + " with " + granules);
    }
  }

  public Allocation {
    shares = List.copyOf(shares);
    if (granuleBytes < 0) throw new IllegalArgumentException("granules of " + granuleBytes);
  }

  /** Seats of one pool, and no promise. */
  public static Allocation anywhereIn(String pool) {
    return new Allocation(pool, 0, List.of());
  }

  /** Whether a capacity is promised. */
  public boolean isPromise() {
    return granuleBytes > 0;
  }

  /** How many granules a capacity takes; 0 without a promise. */
  public long granulesFor(long bytes) {
    return granuleBytes == 0 ? 0 : granulesFor(bytes, granuleBytes);
  }

  /** How many granules a capacity takes, the last of them perhaps in part. */
  public static long granulesFor(long bytes, long granuleBytes) {
    return bytes / granuleBytes + (bytes % granuleBytes == 0 ? 0 : 1);
  }

  /** All its granules, copies not counted. */
  public long granules() {
    return shares.stream().mapToLong(Share::granules).sum();
  }

  /** Its granules of the group that starts from a seat. */
  public int granulesOn(SeatId seat) {
    for (Share share : shares) {
      if (share.seat().equals(seat)) return share.granules();
    }
    return 0;
  }

  public List<SeatId> seats() {
    return shares.stream().map(Share::seat).toList();
  }

  /** The same with other shares. */
  public Allocation with(List<Share> others) {
    return new Allocation(pool, granuleBytes, others);
  }
}
