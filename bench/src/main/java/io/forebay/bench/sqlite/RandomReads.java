// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.sqlite;

import io.forebay.bench.Rate;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** Small reads at random: out of one large file, and of small files as a whole. */
final class RandomReads {
  private static final int READ_BYTES = 16 << 10;
  private static final int BLOCK_BYTES = 1 << 20;

  private final Path directory;
  private final int files;
  private final SplittableRandom random;

  /**
   * In a directory.
   *
   * @param files the number of small files; one large file has the same total size
   */
  RandomReads(Path directory, int files, long seed) {
    this.directory = directory;
    this.files = files;
    this.random = new SplittableRandom(seed);
  }

  /** Writes the files. */
  void prepare() throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    try (FileChannel large = create(directory.resolve("large"))) {
      for (long at = 0; at < (long) files * READ_BYTES; at += BLOCK_BYTES) {
        large.write(block.clear(), at);
      }
    }
    Path small = Files.createDirectory(directory.resolve("small"));
    for (int i = 0; i < files; i++) {
      try (FileChannel file = create(small.resolve("file" + i))) {
        file.write(block.clear().limit(READ_BYTES), 0);
      }
    }
  }

  private static FileChannel create(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Reads from the large file; returns reads per second. */
  double ofOneFile(int reads) throws IOException {
    ByteBuffer target = ByteBuffer.allocateDirect(READ_BYTES);
    try (FileChannel file = FileChannel.open(directory.resolve("large"))) {
      long start = System.nanoTime();
      for (int i = 0; i < reads; i++) {
        readFully(file, target.clear(), (long) random.nextInt(files) * READ_BYTES);
      }
      return Rate.perSecond(reads, System.nanoTime() - start);
    }
  }

  /** Opens, reads and closes small files; returns files per second. */
  double ofManyFiles(int reads) throws IOException {
    ByteBuffer target = ByteBuffer.allocateDirect(READ_BYTES);
    long start = System.nanoTime();
    for (int i = 0; i < reads; i++) {
      Path path = directory.resolve("small").resolve("file" + random.nextInt(files));
      try (FileChannel file = FileChannel.open(path)) {
        readFully(file, target.clear(), 0);
      }
    }
    return Rate.perSecond(reads, System.nanoTime() - start);
  }

  private static void readFully(FileChannel file, ByteBuffer target, long from) throws IOException {
    while (target.hasRemaining()) {
      if (file.read(target, from + target.position()) < 0) {
        throw new EOFException("a file ends too early");
      }
    }
  }
}
