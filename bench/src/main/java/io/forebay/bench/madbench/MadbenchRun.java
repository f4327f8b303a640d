// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.madbench;

import io.forebay.bench.ior.file.TestFiles;
import io.forebay.bench.ior.file.TestFiles.TestFile;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One run in I/O mode, without computation:
 *
 * <ol>
 *   <li>S: all ranks write their parts of one matrix after the other;
 *   <li>W: they read each matrix, and write one of its size in its place;
 *   <li>C: they read all matrices again.
 * </ol>
 *
 * All wait for each other before and after each read and write. A write counts when it is forced.
 * The first word of each part tells whether the right bytes come back.
 */
final class MadbenchRun {
  /** Connects a rank with the files. */
  interface Connection {
    TestFiles connect(int rank) throws IOException;
  }

  /** The seconds of all reads, or all writes, of a phase. */
  record Seconds(double writeS, double readW, double writeW, double readC) {}

  private static final double NANOS = 1e9;
  private static final long S = 1;
  private static final long W = 2;

  private final MadbenchOptions options;
  private final boolean shared;
  private final String prefix;
  private final Connection connection;

  MadbenchRun(MadbenchOptions options, boolean shared, String prefix, Connection connection) {
    this.options = options;
    this.shared = shared;
    this.prefix = prefix;
    this.connection = connection;
  }

  /** Runs it once and removes its files. */
  Seconds run() throws IOException {
    Seconds[] seconds = new Seconds[1];
    ThreadRanks.run(
        options.ranks(),
        group -> {
          try (TestFiles files = connection.connect(group.rank())) {
            Seconds mine = phases(group, files);
            if (group.rank() == 0) seconds[0] = mine;
            group.barrier();
            if (!shared || group.rank() == 0) files.delete(file(group.rank()));
          }
        });
    return seconds[0];
  }

  private String file(int rank) {
    return prefix + (shared ? "madbench.shared" : "madbench." + rank);
  }

  private long offset(int bin, int rank) {
    long place = shared ? (long) bin * options.ranks() + rank : bin;
    return place * options.stepBytes();
  }

  private Seconds phases(Group group, TestFiles files) throws IOException {
    int rank = group.rank();
    ByteBuffer part = ByteBuffer.allocateDirect(options.partBytes());
    long writeS = 0;
    long readW = 0;
    long writeW = 0;
    long readC = 0;
    try (TestFile out = files.open(file(rank), true)) {
      for (int bin = 0; bin < options.bins(); bin++) writeS += write(group, out, part, S, bin);
      group.barrier();
      try (TestFile in = files.open(file(rank), false)) {
        for (int bin = 0; bin < options.bins(); bin++) {
          readW += read(group, in, part, S, bin);
          writeW += write(group, out, part, W, bin);
        }
        for (int bin = 0; bin < options.bins(); bin++) readC += read(group, in, part, W, bin);
      }
    }
    return new Seconds(writeS / NANOS, readW / NANOS, writeW / NANOS, readC / NANOS);
  }

  private long write(Group group, TestFile file, ByteBuffer part, long phase, int bin)
      throws IOException {
    part.clear();
    if (part.remaining() >= Long.BYTES) part.putLong(0, word(phase, bin, group.rank()));
    return inTurns(
        group,
        options.writeModulus(),
        () -> {
          file.write(part, offset(bin, group.rank()));
          file.sync();
        });
  }

  private long read(Group group, TestFile file, ByteBuffer part, long phase, int bin)
      throws IOException {
    part.clear();
    long nanos =
        inTurns(group, options.readModulus(), () -> file.read(part, offset(bin, group.rank())));
    long expected = word(phase, bin, group.rank());
    if (part.capacity() >= Long.BYTES && part.getLong(0) != expected) {
      throw new IOException(
          "bin %d of rank %d is not what was written".formatted(bin, group.rank()));
    }
    return nanos;
  }

  private static long word(long phase, int bin, int rank) {
    return (phase << Integer.SIZE) + ((long) bin << Short.SIZE) + rank;
  }

  /** A read or a write of a rank. */
  private interface Step {
    void run() throws IOException;
  }

  /** Of so many neighbouring ranks one at a time does a step; the nanoseconds for all. */
  private static long inTurns(Group group, int modulus, Step step) throws IOException {
    group.barrier();
    long start = System.nanoTime();
    for (int turn = 0; turn < modulus; turn++) {
      if (group.rank() % modulus == turn) step.run();
      group.barrier();
    }
    return System.nanoTime() - start;
  }
}
