// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mdtest;

import io.forebay.bench.names.NameCrew;
import io.forebay.bench.names.NameTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * mdtest's phases on files only ({@code -F}), all in one directory: each rank creates its files,
 * then stats, reads and removes those of others, so that no phase benefits from its rank's own
 * cache. Ranks are nodes of their own, so that the shift from phase to phase ({@code -N}) is 1.
 */
final class MdtestRun implements AutoCloseable {
  /** Files a second, of all ranks together. */
  record Figures(double create, double stat, double read, double remove) {}

  private static final List<String> DIRECTORIES =
      List.of("/test-dir.0-0", "/test-dir.0-0/mdtest_tree.0");

  private final NameCrew ranks;
  private final boolean shared;
  private final int items;
  private final List<ByteBuffer> buffers;

  /**
   * Gathers ranks, which are closed with this.
   *
   * @param shared whether all see the same tree; else each has one of its own and stays in it
   * @param items how many files each rank makes ({@code -n})
   * @param fileBytes how long each is ({@code -w}, {@code -e})
   */
  MdtestRun(List<NameTree> ranks, boolean shared, int items, int fileBytes) {
    this.ranks = new NameCrew(ranks);
    this.shared = shared;
    this.items = items;
    this.buffers = ranks.stream().map(rank -> ByteBuffer.allocateDirect(fileBytes)).toList();
  }

  Figures measure() throws IOException, InterruptedException {
    int trees = shared ? 1 : ranks.size();
    for (int i = 0; i < trees; i++) {
      for (String path : DIRECTORIES) ranks.client(i).makeDirectory(path);
    }
    Figures figures =
        new Figures(
            ranks.rate(items, (tree, rank, item) -> tree.create(file(rank, 0, item), buffer(rank))),
            ranks.rate(items, (tree, rank, item) -> tree.stat(file(rank, 1, item))),
            ranks.rate(items, (tree, rank, item) -> tree.read(file(rank, 2, item), buffer(rank))),
            ranks.rate(items, (tree, rank, item) -> tree.unlink(file(rank, 3, item))));
    for (int i = 0; i < trees; i++) {
      for (String path : DIRECTORIES.reversed()) ranks.client(i).removeDirectory(path);
    }
    return figures;
  }

  private String file(int rank, int shift, int item) {
    int owner = shared ? (rank + shift) % ranks.size() : rank;
    return DIRECTORIES.getLast() + "/file.mdtest." + owner + "." + item;
  }

  private ByteBuffer buffer(int rank) {
    return buffers.get(rank).clear();
  }

  @Override
  public void close() throws IOException {
    ranks.close();
  }
}
