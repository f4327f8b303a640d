// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import java.util.Arrays;

/**
 * The write requests as they came, each a list of extents that is in order inside. An extent out of
 * order begins another request automatically, so callers may add extents in any order. Where
 * requests overlap the one with the higher publish number counts, then the one with the higher
 * sequence, then the one that was added later.
 *
 * <p>24 bytes per extent and 20 per request.
 */
public final class Requests {
  private final ExtentTable extents;
  private int[] firstExtents = new int[16];
  private long[] publishes = new long[16];
  private long[] sequences = new long[16];
  private int count;

  /**
   * An empty list.
   *
   * @param expectedExtents how many extents there will be, as a guess
   */
  public Requests(int expectedExtents) {
    extents = new ExtentTable(expectedExtents);
  }

  /**
   * Begins a request; its extents follow.
   *
   * @param sequence compared as unsigned, like sequences of records
   */
  public void begin(long publish, long sequence) {
    // One without extents is none.
    if (count > 0 && firstExtents[count - 1] == extents.count()) count--;
    if (count == firstExtents.length) {
      int capacity = ExtentTable.grown(count);
      firstExtents = Arrays.copyOf(firstExtents, capacity);
      publishes = Arrays.copyOf(publishes, capacity);
      sequences = Arrays.copyOf(sequences, capacity);
    }
    firstExtents[count] = extents.count();
    publishes[count] = publish;
    sequences[count] = sequence;
    count++;
  }

  /** Adds an extent to the request begun last. */
  public void add(long offset, int lengthBytes, int source, long sourceOffset) {
    if (count == 0) throw new IllegalStateException("an extent before the first request");
    int last = extents.count() - 1;
    if (last >= firstExtents[count - 1] && offset < extents.endOffset(last)) {
      begin(publishes[count - 1], sequences[count - 1]);
    }
    extents.add(offset, lengthBytes, source, sourceOffset);
  }

  /** The number of requests, including those that began automatically. */
  public int count() {
    boolean lastIsEmpty = count > 0 && firstExtents[count - 1] == extents.count();
    return lastIsEmpty ? count - 1 : count;
  }

  public int extents() {
    return extents.count();
  }

  ExtentTable table() {
    return extents;
  }

  int firstExtent(int request) {
    return firstExtents[request];
  }

  /** The first extent that is not the request's any more. */
  int endExtent(int request) {
    return request + 1 < count ? firstExtents[request + 1] : extents.count();
  }

  /** The request that an extent belongs to. */
  int requestOf(int extent) {
    int at = Arrays.binarySearch(firstExtents, 0, count(), extent);
    return at >= 0 ? at : -at - 2;
  }

  boolean isNewer(int request, int other) {
    if (publishes[request] != publishes[other]) return publishes[request] > publishes[other];
    int bySequence = Long.compareUnsigned(sequences[request], sequences[other]);
    return bySequence != 0 ? bySequence > 0 : request > other;
  }
}
