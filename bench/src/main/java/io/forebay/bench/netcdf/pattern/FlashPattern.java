// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.pattern;

import io.forebay.netcdf.format.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * FLASH-IO: a checkpoint and two plot files of a simulation with blocks of cells, whose number
 * varies slightly between ranks. Every request is a range of blocks.
 *
 * @param blocksEach how many the ranks have at least; 80 in the original
 * @param side cells along each side of a block
 */
public record FlashPattern(int ranks, int blocksEach, int side) implements Pattern {
  private static final int UNKNOWNS = 24;
  private static final int PLOTTED = 4;

  /** Ranks have none, one or two extra blocks, in turn. */
  private static final int UNEVEN = 3;

  private static final List<Integer> PLAIN = List.of();

  @Override
  public List<Shape> files() {
    ElementType number = ElementType.DOUBLE;
    return List.of(
        file("flash_chk.nc", number, UNKNOWNS, side),
        file("flash_plt_cnt.nc", ElementType.FLOAT, PLOTTED, side),
        file("flash_plt_crn.nc", ElementType.FLOAT, PLOTTED, side + 1));
  }

  private Shape file(String name, ElementType real, int unknowns, int cells) {
    List<Along> along = new ArrayList<>();
    along.add(new Along("dim_tot_blocks", firstBlock(ranks)));
    along.add(new Along("dim_nzb", cells));
    along.add(new Along("dim_nyb", cells));
    along.add(new Along("dim_nxb", cells));
    along.add(new Along("dim_NGID", 15));
    along.add(new Along("dim_NDIM", 3));
    along.add(new Along("dim_2", 2));
    List<Held> held = new ArrayList<>();
    held.add(held("lrefine", ElementType.INT, PLAIN));
    held.add(held("nodetype", ElementType.INT, PLAIN));
    held.add(held("gid", ElementType.INT, List.of(4)));
    held.add(held("coordinates", real, List.of(5)));
    held.add(held("blocksize", real, List.of(5)));
    held.add(held("bndbox", real, List.of(5, 6)));
    for (int i = 1; i <= unknowns; i++) {
      held.add(held("unk_%02d".formatted(i), real, List.of(1, 2, 3)));
    }
    return new Shape(name, along, held);
  }

  private static Held held(String name, ElementType type, List<Integer> more) {
    List<Integer> along = new ArrayList<>(List.of(0));
    along.addAll(more);
    return new Held(name, type, along);
  }

  private long blocks(int rank) {
    return (long) blocksEach + rank % UNEVEN;
  }

  private long firstBlock(int rank) {
    long first = 0;
    for (int before = 0; before < rank; before++) first += blocks(before);
    return first;
  }

  @Override
  public <E extends Exception> void puts(int file, int rank, Sink<E> sink) throws E {
    Shape shape = files().get(file);
    for (int v = 0; v < shape.variables().size(); v++) {
      List<Integer> along = shape.variables().get(v).along();
      long[] start = new long[along.size()];
      long[] count = new long[along.size()];
      for (int d = 1; d < count.length; d++) {
        count[d] = shape.dimensions().get(along.get(d)).length();
      }
      start[0] = firstBlock(rank);
      count[0] = blocks(rank);
      sink.put(Put.of(v, start, count));
    }
  }
}
