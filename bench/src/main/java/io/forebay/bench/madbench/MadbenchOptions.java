// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.madbench;

/**
 * The parameters of MADbench2, by its own names where it has them.
 *
 * @param ranks a square number
 * @param pixels NPIX: each matrix has as many rows and columns of doubles
 * @param bins NBIN: how many matrices there are
 * @param readModulus RMOD: one of so many ranks reads at a time
 * @param writeModulus WMOD: the same for writes
 * @param blockBytes FBLOCKSIZE: each rank's part of a matrix begins at a multiple of it
 */
public record MadbenchOptions(
    int ranks, int pixels, int bins, int readModulus, int writeModulus, int blockBytes) {
  private static final int RANKS_MAX = 256;
  private static final int BINS_MAX = 1024;
  private static final long PART_BYTES_MAX = 1 << 30;

  public MadbenchOptions {
    int side = (int) Math.round(Math.sqrt(ranks));
    check(ranks >= 1 && ranks <= RANKS_MAX, "the number of ranks must be from 1 to " + RANKS_MAX);
    check(side * side == ranks, "MADbench2 takes a square number of ranks, not " + ranks);
    check(pixels >= 1, "the number of pixels must be positive");
    check(bins >= 1 && bins <= BINS_MAX, "the number of bins must be from 1 to " + BINS_MAX);
    check(readModulus >= 1 && readModulus <= ranks, "RMOD must be from 1 to the number of ranks");
    check(writeModulus >= 1 && writeModulus <= ranks, "WMOD must be from 1 to the number of ranks");
    check(blockBytes >= 1, "the block size must be positive");
    check(
        matrixBytes(pixels) / ranks <= PART_BYTES_MAX,
        "a rank's part of a matrix would be more than 1 GiB; take more ranks or fewer pixels");
  }

  private static void check(boolean right, String sentence) {
    if (!right) throw new IllegalArgumentException(sentence);
  }

  /** What is measured without other options; with less, within 45 seconds. */
  public static MadbenchOptions usual(boolean quick) {
    return quick
        ? new MadbenchOptions(16, 500, 4, 1, 1, 4096)
        : new MadbenchOptions(16, 1800, 8, 1, 1, 4096);
  }

  private static long matrixBytes(int pixels) {
    return (long) pixels * pixels * Double.BYTES;
  }

  /** A rank's part of a matrix. */
  public int partBytes() {
    return (int) (matrixBytes(pixels) / ranks);
  }

  /** From one part to the next. */
  public long stepBytes() {
    return (partBytes() + blockBytes - 1L) / blockBytes * blockBytes;
  }

  /** Of all ranks' parts of all matrices. */
  public long totalBytes() {
    return (long) partBytes() * ranks * bins;
  }

  /** How much room the files take. */
  public long fileBytes() {
    return stepBytes() * ranks * bins;
  }
}
