// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.base.ByteSize;

/**
 * The assignment of bytes of files to tasks. A file is segments; a segment is a block of each task
 * in turn, or the one block of the task whose file it is; a block is transfers.
 *
 * @param filePerTask whether each task has a file of its own
 * @param random whether transfers are made in no order, and in a shared file by any task
 * @param seed the source of that order and of the written bytes
 */
public record IorLayout(
    int tasks,
    long blockBytes,
    int transferBytes,
    int segments,
    boolean filePerTask,
    boolean random,
    long seed) {
  public static final int TASKS_MAX = 1024;
  public static final int TRANSFER_BYTES_MAX = 256 << 20;

  /** Each task has a buffer of one transfer. */
  static final long BUFFERS_BYTES_MAX = 2L << 30;

  /** A longer file is assumed to be a mistake. */
  static final long FILE_BYTES_MAX = 1L << 50;

  /** A shuffled order must be stored, which limits its length. */
  static final int RANDOM_TRANSFERS_MAX = 1 << 22;

  public IorLayout {
    check(tasks >= 1 && tasks <= TASKS_MAX, "number of tasks (-N) must be from 1 to " + TASKS_MAX);
    check(segments >= 1, "segment count (-s) must be positive");
    check(transferBytes > 0, "transfer size (-t) must be positive");
    check(
        transferBytes % Long.BYTES == 0,
        "transfer size (-t) must be a multiple of 8, the size of the words that are written");
    check(
        (long) tasks * transferBytes <= BUFFERS_BYTES_MAX,
        "%d tasks (-N) with buffers of %s (-t) need more than %s"
            .formatted(tasks, ByteSize.format(transferBytes), ByteSize.format(BUFFERS_BYTES_MAX)));
    check(
        blockBytes >= transferBytes, "block size (-b) must not be smaller than transfer size (-t)");
    check(
        blockBytes % transferBytes == 0,
        "block size (-b) must be a multiple of transfer size (-t): %d is not one of %d"
            .formatted(blockBytes, transferBytes));
    check(
        blockBytes <= FILE_BYTES_MAX / segments / tasks,
        "%d segments (-s) of %d blocks (-b) of %s are more than %s"
            .formatted(
                segments, tasks, ByteSize.format(blockBytes), ByteSize.format(FILE_BYTES_MAX)));
    long inOneFile = blockBytes / transferBytes * segments * (filePerTask ? 1 : tasks);
    check(
        !random || inOneFile <= RANDOM_TRANSFERS_MAX,
        "random offsets (-z) of %d transfers in one file are too many; at most %d"
            .formatted(inOneFile, RANDOM_TRANSFERS_MAX));
  }

  private static void check(boolean right, String sentence) {
    if (!right) throw new IllegalArgumentException(sentence);
  }

  public long bytesPerTask() {
    return blockBytes * segments;
  }

  /** Of all tasks. */
  public long totalBytes() {
    return bytesPerTask() * tasks;
  }

  public long transfersPerTask() {
    return bytesPerTask() / transferBytes;
  }

  /** The name of the file that a task writes. */
  String file(String testFile, int task) {
    return filePerTask ? "%s.%08d".formatted(testFile, task) : testFile;
  }

  /** How many files there are. */
  int files() {
    return filePerTask ? tasks : 1;
  }

  /** Where a task's transfers go, in the order in which they are made. */
  TransferOrder order(int task) {
    if (random) return randomOrder(task);
    long perBlock = blockBytes / transferBytes;
    long segmentBytes = filePerTask ? blockBytes : blockBytes * tasks;
    long start = filePerTask ? 0 : task * blockBytes;
    return index -> (index / perBlock) * segmentBytes + start + (index % perBlock) * transferBytes;
  }

  /**
   * Every task computes the same shuffle of all transfers of the file, and takes its share in turn.
   */
  private TransferOrder randomOrder(int task) {
    int all = (int) (transfersPerTask() * (filePerTask ? 1 : tasks));
    int[] shuffled = Shuffle.of(all, filePerTask ? seed + task : seed);
    int step = filePerTask ? 1 : tasks;
    int first = filePerTask ? 0 : task;
    return index -> (long) shuffled[(int) index * step + first] * transferBytes;
  }
}
