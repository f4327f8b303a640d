package io.forebay.namespace.tree;

import io.forebay.store.index.ExtentCursor;
import io.forebay.store.index.ExtentDirectory;
import java.util.Arrays;

/** What a file consists of, and which groups hold records of it. */
final class FileContent {
  private final ExtentDirectory directory = new ExtentDirectory();

  /** Every group that ever held a record of this file, ascending: few. */
  private int[] groups = new int[0];

  private long usedBytes;

  ExtentDirectory directory() {
    return directory;
  }

  ExtentCursor cursor() {
    return directory.cursor();
  }

  long sizeBytes() {
    return directory.sizeBytes();
  }

  /** The bytes of all extents; holes count for nothing. */
  long usedBytes() {
    return usedBytes;
  }

  void addUsed(long bytes) {
    usedBytes += bytes;
  }

  int[] groups() {
    return groups;
  }

  void noteGroup(int group) {
    int at = Arrays.binarySearch(groups, group);
    if (at >= 0) return;
    int place = -at - 1;
    int[] more = Arrays.copyOf(groups, groups.length + 1);
    System.arraycopy(groups, place, more, place + 1, groups.length - place);
    more[place] = group;
    groups = more;
  }
}
