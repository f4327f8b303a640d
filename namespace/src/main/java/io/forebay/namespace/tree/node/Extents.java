// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.store.index.Extent;
import io.forebay.store.index.ExtentCursor;
import io.forebay.store.index.ExtentDirectory;
import io.forebay.store.index.Superseded;
import java.util.Arrays;
import java.util.function.Predicate;

/** A file of any number of extents. */
public final class Extents extends FileContent {
  private final ExtentDirectory directory = new ExtentDirectory();
  private int[] groups = new int[0];
  private long usedBytes;

  /** The same as a single record, so that more can be added. */
  public static Extents of(SingleRecord single, Superseded out) {
    Extents extents = new Extents();
    extents.publish(single.extent(), out);
    return extents;
  }

  /** Nothing but a size. */
  public static Extents ofSize(long index, long sizeBytes, Superseded out) {
    Extents extents = new Extents();
    extents.directory.truncate(index, sizeBytes, out);
    return extents;
  }

  /** Places an extent; the bytes it supplies now. */
  public int publish(Extent extent, Superseded out) {
    noteGroup(extent.group());
    int gainedBytes = directory.publish(extent, out);
    usedBytes += gainedBytes;
    return gainedBytes;
  }

  public void truncate(long index, long sizeBytes, Superseded out) {
    directory.truncate(index, sizeBytes, out);
  }

  public void punch(long from, long to, Superseded out) {
    directory.punch(from, to, out);
  }

  public void clear(Superseded out) {
    directory.clear(out);
  }

  /** The directory reported that bytes were superseded. */
  public void lost(long bytes) {
    usedBytes -= bytes;
  }

  public void noteGroup(int group) {
    int at = Arrays.binarySearch(groups, group);
    if (at >= 0) return;
    int place = -at - 1;
    int[] more = Arrays.copyOf(groups, groups.length + 1);
    System.arraycopy(groups, place, more, place + 1, groups.length - place);
    more[place] = group;
    groups = more;
  }

  @Override
  public long sizeBytes() {
    return directory.sizeBytes();
  }

  @Override
  long usedBytes() {
    return usedBytes;
  }

  @Override
  public int[] groups() {
    return groups.clone();
  }

  @Override
  public void visit(long offset, Predicate<Extent> goesOn) {
    ExtentCursor cursor = directory.cursor();
    boolean found = cursor.seek(offset);
    while (found && goesOn.test(cursor.extent())) found = cursor.next();
  }
}
