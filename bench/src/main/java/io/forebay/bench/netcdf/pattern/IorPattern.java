// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.pattern;

import io.forebay.netcdf.format.ElementType;
import java.util.List;

/**
 * IOR on one variable of one dimension. Each rank owns one block of a segment and fills it in
 * transfers: offset = segment · ranks · block + rank · block + transfer · number.
 *
 * @param segments how many blocks each rank has
 */
public record IorPattern(int ranks, long blockBytes, long transferBytes, int segments)
    implements Pattern {
  public IorPattern {
    if (ranks <= 0 || transferBytes <= 0 || segments <= 0 || blockBytes % transferBytes != 0) {
      throw new IllegalArgumentException(
          "transfers of %d bytes do not fill blocks of %d".formatted(transferBytes, blockBytes));
    }
  }

  /** Blocks of one transfer, one behind the other: each step of all ranks is one range. */
  public static IorPattern contiguous(int ranks, long rankBytes, long transferBytes) {
    return new IorPattern(
        ranks, transferBytes, transferBytes, Math.toIntExact(rankBytes / transferBytes));
  }

  /** One segment: each step of all ranks touches pieces that are a block apart. */
  public static IorPattern strided(int ranks, long rankBytes, long transferBytes) {
    return new IorPattern(ranks, rankBytes, transferBytes, 1);
  }

  @Override
  public List<Shape> files() {
    return List.of(
        new Shape(
            "ior.nc",
            List.of(new Along("x", ranks * blockBytes * segments)),
            List.of(new Held("data", ElementType.BYTE, List.of(0)))));
  }

  @Override
  public <E extends Exception> void puts(int file, int rank, Sink<E> sink) throws E {
    for (int segment = 0; segment < segments; segment++) {
      long block = ((long) segment * ranks + rank) * blockBytes;
      for (long at = 0; at < blockBytes; at += transferBytes) {
        sink.put(Put.of(0, new long[] {block + at}, new long[] {transferBytes}));
      }
    }
  }
}
