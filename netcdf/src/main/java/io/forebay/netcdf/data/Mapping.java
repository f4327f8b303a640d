// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.data;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The positions in memory of a part's elements when they are not in its order: the distance of
 * consecutive elements along each dimension. With the distances of a transposed array, a part is
 * transposed during the transfer.
 */
public final class Mapping {
  private final long[] distance;

  private Mapping(long[] distance) {
    this.distance = distance;
  }

  public static Mapping of(long... distance) {
    return new Mapping(distance.clone());
  }

  /** How many dimensions it is for. */
  public int dimensions() {
    return distance.length;
  }

  /** How many elements memory must have, from the first that is used to the last. */
  public long span(Subarray part) {
    if (part.elements() == 0) return 0;
    long last = 0;
    for (int d = 0; d < distance.length; d++) {
      if (distance[d] < 0) throw new IllegalArgumentException("distance " + distance[d]);
      last = Math.addExact(last, Math.multiplyExact(part.count(d) - 1, distance[d]));
    }
    return last + 1;
  }

  /** The elements in the order of the part. */
  public Values packed(Values scattered, Subarray part) {
    Values packed = room(scattered, part);
    move(scattered, packed, part, true);
    return packed;
  }

  /** Memory for the elements of a part in its order. */
  public Values room(Values scattered, Subarray part) {
    long bytes = part.elements() * scattered.type().sizeBytes();
    MemorySegment memory = Arena.ofAuto().allocate(bytes, Long.BYTES);
    return new Values(memory, scattered.type(), scattered.order());
  }

  /** Puts elements in the order of the part to where they belong in memory. */
  public void scatter(Values packed, Values scattered, Subarray part) {
    move(scattered, packed, part, false);
  }

  private void move(Values scattered, Values packed, Subarray part, boolean pack) {
    int size = packed.type().sizeBytes();
    long elements = part.elements();
    long[] at = new long[distance.length];
    long place = 0;
    for (long i = 0; i < elements; i++) {
      MemorySegment from = pack ? scattered.memory() : packed.memory();
      MemorySegment to = pack ? packed.memory() : scattered.memory();
      long fromAt = (pack ? place : i) * size;
      long toAt = (pack ? i : place) * size;
      MemorySegment.copy(from, fromAt, to, toAt, size);
      int d = at.length - 1;
      while (d >= 0 && at[d] == part.count(d) - 1) {
        place -= at[d] * distance[d];
        at[d] = 0;
        d--;
      }
      if (d < 0) return;
      at[d]++;
      place += distance[d];
    }
  }
}
