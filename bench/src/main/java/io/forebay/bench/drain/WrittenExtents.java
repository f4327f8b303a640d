// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.drain.reorder.Pieces;
import io.forebay.drain.reorder.Reordering;
import io.forebay.drain.reorder.Requests;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A file as its writers left it: requests in no order, of extents that are in order. It can be
 * sorted into the order of the file by two levels, or by sorting all extents. No two extents can be
 * joined, so that both ways have the same work.
 */
final class WrittenExtents {
  static final int EXTENT_BYTES = 4096;
  private static final int REQUEST_EXTENTS = 100;
  private static final int INTERLEAVED_REQUESTS = 10;

  /** Extents are packed with their numbers into one long each, to be sorted as such. */
  private static final int NUMBER_BITS = 24;

  /** The arrangement of requests in the file. */
  enum Shape {
    /** Each has a range of its own. */
    APART("extents in requests apart"),
    /** Some share a range and take turns. */
    INTERLEAVED("extents in interleaved requests"),
    /** Each is one extent. */
    SINGLE("single extents");

    private final String text;

    Shape(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private final int count;
  private final Requests requests;
  private final long[] offsets;
  private final int[] lengths;
  private final int[] sources;
  private final long[] sourceOffsets;

  WrittenExtents(Shape shape, int count, long seed) {
    if (count >= 1 << NUMBER_BITS) throw new IllegalArgumentException(count + " extents");
    this.count = count;
    requests = new Requests(count);
    offsets = new long[count];
    lengths = new int[count];
    sources = new int[count];
    sourceOffsets = new long[count];
    int requestExtents = shape == Shape.SINGLE ? 1 : REQUEST_EXTENTS;
    int together = shape == Shape.INTERLEAVED ? INTERLEAVED_REQUESTS : 1;
    int added = 0;
    for (int request : shuffled(count / requestExtents, new SplittableRandom(seed))) {
      requests.begin(1, request);
      long first = (long) request / together * together * requestExtents + request % together;
      for (int i = 0; i < requestExtents; i++) {
        offsets[added] = (first + (long) i * together) * EXTENT_BYTES;
        lengths[added] = EXTENT_BYTES;
        sources[added] = request;
        sourceOffsets[added] = 2L * i * EXTENT_BYTES;
        requests.add(offsets[added], lengths[added], request, sourceOffsets[added]);
        added++;
      }
    }
    if (added != count) throw new IllegalArgumentException(count + " extents in whole requests");
  }

  private static int[] shuffled(int count, SplittableRandom random) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      numbers[i] = numbers[other];
      numbers[other] = i;
    }
    return numbers;
  }

  Pieces byTwoLevels() {
    return Reordering.reorder(requests).pieces();
  }

  Pieces bySortingAll() {
    long[] packed = new long[count];
    for (int i = 0; i < count; i++) {
      packed[i] = ((offsets[i] / EXTENT_BYTES) << NUMBER_BITS) | i;
    }
    Arrays.sort(packed);
    Pieces pieces = new Pieces(count);
    for (long each : packed) {
      int i = (int) each & ((1 << NUMBER_BITS) - 1);
      pieces.append(offsets[i], lengths[i], sources[i], sourceOffsets[i]);
    }
    return pieces;
  }
}
