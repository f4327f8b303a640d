// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Copies whole files from fast storage to a destination, in large pieces, by threads of its own.
 * Used by one thread.
 */
final class FileMover implements AutoCloseable {
  static final int PIECE_BYTES = 8 << 20;

  private final Storage storage;
  private final Path directory;
  private final ExecutorService copiers;
  private final int shares;
  private final boolean forces;
  private final List<Future<?>> underWay = new ArrayList<>();

  /**
   * To a directory of a destination, with this many threads.
   *
   * @param forces whether a copy is done only when it is on the device
   */
  FileMover(Storage storage, Path directory, int threads, boolean forces) {
    this.forces = forces;
    this.storage = storage;
    this.directory = directory;
    copiers =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("mover-", 0).factory());
    shares = threads;
  }

  /** Begins to copy a complete file to the directory, under its name. */
  void begin(Path from) {
    Path to = directory.resolve(from.getFileName());
    for (int share = 0; share < shares; share++) {
      int number = share;
      underWay.add(
          copiers.submit(
              () -> {
                copy(from, to, number);
                return null;
              }));
    }
  }

  /** The pieces of one thread's share. */
  private void copy(Path from, Path to, int share) throws IOException {
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
        SharedFile target =
            storage.open(
                to, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Scratch scratch = new Scratch()) {
      long size = source.size();
      for (long at = (long) share * PIECE_BYTES; at < size; at += (long) shares * PIECE_BYTES) {
        MemorySegment piece = scratch.take(Math.min(PIECE_BYTES, size - at));
        FileBytes.fill(source, piece, at);
        target.write(piece, at);
      }
      if (forces) target.force();
    }
  }

  /** Returns when all that was begun is done. */
  void await() throws IOException {
    for (Future<?> each : underWay) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new IOException("a copy failed", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while copying", e);
      }
    }
    underWay.clear();
  }

  @Override
  public void close() {
    copiers.shutdownNow();
    copiers.close();
  }
}
