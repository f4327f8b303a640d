// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.FileId;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The entries of a table in the order of their files, so that the entries of one file are found
 * without a full scan. Built at the first search, and rebuilt when many entries have been added.
 */
final class EntriesByFile {
  /** The maximum number of unsorted entries, which are scanned one by one. */
  private static final int BEHIND_MAX = 256;

  /** The same as a share of those in order, which are copied whenever others are put among them. */
  private static final int BEHIND_SHARE = 32;

  private int[] order = {};
  private long lowest = Long.MAX_VALUE;
  private long highest = Long.MIN_VALUE;

  void visit(RecordTable table, FileId file, IntConsumer found) {
    int behind = table.size() - order.length;
    if (behind > Math.max(BEHIND_MAX, order.length / BEHIND_SHARE)) merge(table, sorted(table));
    if (file.number() >= lowest && file.number() <= highest) {
      visitOrdered(table, file, found);
    }
    for (int entry = order.length; entry < table.size(); entry++) {
      if (table.isOf(entry, file)) found.accept(entry);
    }
  }

  private void visitOrdered(RecordTable table, FileId file, IntConsumer found) {
    int wanted = hash(file.number());
    int from = 0;
    int to = order.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (hash(table.fileNumber(order[middle])) < wanted) from = middle + 1;
      else to = middle;
    }
    for (int i = from; i < order.length; i++) {
      if (hash(table.fileNumber(order[i])) != wanted) return;
      if (table.isOf(order[i], file)) found.accept(order[i]);
    }
  }

  /** The entries behind those in order, each with its hash in front. */
  private long[] sorted(RecordTable table) {
    long[] keys = new long[table.size() - order.length];
    for (int i = 0; i < keys.length; i++) {
      int entry = order.length + i;
      long number = table.fileNumber(entry);
      lowest = Math.min(lowest, number);
      highest = Math.max(highest, number);
      keys[i] = ((long) hash(number) << Integer.SIZE) | entry;
    }
    Arrays.sort(keys);
    return keys;
  }

  private void merge(RecordTable table, long[] keys) {
    int[] merged = new int[table.size()];
    int at = 0;
    int old = 0;
    for (long key : keys) {
      int hash = (int) (key >> Integer.SIZE);
      while (old < order.length && hash(table.fileNumber(order[old])) <= hash) {
        merged[at++] = order[old++];
      }
      merged[at++] = (int) key;
    }
    System.arraycopy(order, old, merged, at, order.length - old);
    order = merged;
  }

  private static int hash(long number) {
    return (int) ((number * 0x9E3779B97F4A7C15L) >>> Integer.SIZE);
  }

  long memoryBytes() {
    return (long) order.length * Integer.BYTES;
  }
}
