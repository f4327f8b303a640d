// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.pattern;

import io.forebay.netcdf.format.ElementType;
import java.util.List;

/**
 * BTIO: an array of five numbers for each point of a grid, written once for each dump by q² ranks
 * that have q cells each, on a diagonal of the q³ cells.
 *
 * @param points along z, y and x
 * @param dumps how often it is written
 */
public record BtioPattern(int ranks, List<Integer> points, int dumps) implements Pattern {
  private static final int NUMBERS = 5;
  private static final int PART_MIN = 3;

  public BtioPattern {
    points = List.copyOf(points);
    int cells = cells(ranks);
    if (cells * cells != ranks) {
      throw new IllegalArgumentException("BTIO takes a square number of ranks, not " + ranks);
    }
    for (int n : points) {
      if (n / cells < PART_MIN) {
        throw new IllegalArgumentException(
            "%d points for %d cells; each needs %d".formatted(n, cells, PART_MIN));
      }
    }
  }

  /** The same grid for any number of ranks. */
  public static BtioPattern strong(int ranks, int side, int dumps) {
    return new BtioPattern(ranks, List.of(side, side, side), dumps);
  }

  /** A grid whose first two dimensions grow with the ranks: each rank has a constant amount. */
  public static BtioPattern weak(int ranks, int side, int dumps) {
    int q = cells(ranks);
    return new BtioPattern(ranks, List.of(side * q, side * q, side), dumps);
  }

  private static int cells(int ranks) {
    return (int) Math.round(Math.sqrt(ranks));
  }

  @Override
  public List<Shape> files() {
    return List.of(
        new Shape(
            "btio.nc",
            List.of(
                new Along("NUM_DUMPS", dumps),
                new Along("Z", points.get(0)),
                new Along("Y", points.get(1)),
                new Along("X", points.get(2)),
                new Along("FIVE_DBL", NUMBERS)),
            List.of(new Held("var", ElementType.DOUBLE, List.of(0, 1, 2, 3, 4)))));
  }

  @Override
  public <E extends Exception> void puts(int file, int rank, Sink<E> sink) throws E {
    int q = cells(ranks);
    for (int dump = 0; dump < dumps; dump++) {
      for (int c = 0; c < q; c++) {
        int x = (rank % q + c) % q;
        int y = Math.floorMod(rank / q - c, q);
        long[] start = {dump, low(0, c, q), low(1, y, q), low(2, x, q), 0};
        long[] count = {1, size(0, c, q), size(1, y, q), size(2, x, q), NUMBERS};
        sink.put(Put.of(0, start, count));
      }
    }
  }

  private long size(int dimension, int part, int parts) {
    int n = points.get(dimension);
    return (long) n / parts + (part < n % parts ? 1 : 0);
  }

  private long low(int dimension, int part, int parts) {
    int n = points.get(dimension);
    return (long) part * (n / parts) + Math.min(part, n % parts);
  }
}
