// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.base.RecordId;
import io.forebay.store.index.Extent;
import java.util.function.Predicate;

/**
 * A file that is one whole record: most small files, at a fifth of the memory of an extent
 * directory.
 */
public final class SingleRecord extends FileContent {
  private final long session;
  private final long sequence;
  private final long publish;
  private final int lengthBytes;
  private final int group;

  private SingleRecord(Extent extent) {
    session = extent.record().session();
    sequence = extent.record().sequence();
    publish = extent.publish();
    lengthBytes = extent.lengthBytes();
    group = extent.group();
  }

  public static boolean suits(Extent extent) {
    return extent.offset() == 0 && extent.isWholeRecord();
  }

  public static SingleRecord of(Extent extent) {
    if (!suits(extent)) throw new IllegalArgumentException("not all of a file: " + extent);
    return new SingleRecord(extent);
  }

  Extent extent() {
    RecordId record = new RecordId(session, sequence);
    return new Extent(0, lengthBytes, record, 0, lengthBytes, publish, group);
  }

  @Override
  public long sizeBytes() {
    return lengthBytes;
  }

  @Override
  long usedBytes() {
    return lengthBytes;
  }

  @Override
  public int[] groups() {
    return new int[] {group};
  }

  @Override
  public void visit(long offset, Predicate<Extent> goesOn) {
    // There is nothing to go on with behind the only extent.
    var _ = offset < lengthBytes && goesOn.test(extent());
  }
}
