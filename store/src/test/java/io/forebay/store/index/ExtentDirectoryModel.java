// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory under test beside what it should be: for each byte of a small file the extent that
 * owns it. Each operation is applied to both and its reports are compared byte by byte.
 */
final class ExtentDirectoryModel implements Superseded, RangeVisitor {
  private static final long NEVER = -1;

  private final ExtentDirectory directory = new ExtentDirectory();
  private final @Nullable Extent[] owners;
  private final long[] truncatedAt;
  private final Map<RecordId, Integer> liveBytes = new HashMap<>();
  private long truncatedBytes;

  private final Map<Integer, RecordId> expectedLosses = new HashMap<>();
  private final Map<Integer, RecordId> reportedLosses = new HashMap<>();
  private final List<RecordId> reportedOrphans = new ArrayList<>();
  private long readPosition;

  ExtentDirectoryModel(int fileBytesMax) {
    owners = new @Nullable Extent[fileBytesMax];
    truncatedAt = new long[fileBytesMax];
    Arrays.fill(truncatedAt, NEVER);
  }

  void publish(Extent extent) {
    Set<RecordId> before = new HashSet<>(liveBytes.keySet());
    before.add(extent.record());
    int expectedGain = 0;
    for (int at = (int) extent.offset(); at < extent.endOffset(); at++) {
      Extent owner = owners[at];
      if (extent.publish() <= truncatedAt[at]) continue;
      if (owner != null && !extent.isNewerThan(owner)) continue;
      if (owner == null || !owner.record().equals(extent.record())) expectedGain++;
      own(at, extent);
    }
    assertThat(directory.publish(extent, this)).isEqualTo(expectedGain);
    compareReports(before);
  }

  void truncate(long publish, int sizeBytes) {
    Set<RecordId> before = new HashSet<>(liveBytes.keySet());
    for (int at = sizeBytes; at < owners.length; at++) {
      truncatedAt[at] = publish;
      Extent owner = owners[at];
      if (owner != null && owner.publish() <= publish) own(at, null);
    }
    truncatedBytes = sizeBytes;
    directory.truncate(publish, sizeBytes, this);
    compareReports(before);
  }

  void punch(int from, int to) {
    Set<RecordId> before = new HashSet<>(liveBytes.keySet());
    truncatedBytes = expectedSize();
    for (int at = from; at < to; at++) own(at, null);
    directory.punch(from, to, this);
    compareReports(before);
  }

  void clear() {
    Set<RecordId> before = new HashSet<>(liveBytes.keySet());
    for (int at = 0; at < owners.length; at++) own(at, null);
    Arrays.fill(truncatedAt, NEVER);
    truncatedBytes = 0;
    directory.clear(this);
    compareReports(before);
    assertThat(directory.extents()).isZero();
  }

  private void own(int at, @Nullable Extent extent) {
    Extent old = owners[at];
    owners[at] = extent;
    if (extent != null) liveBytes.merge(extent.record(), 1, Integer::sum);
    if (old == null) return;
    liveBytes.computeIfPresent(old.record(), (_, bytes) -> bytes == 1 ? null : bytes - 1);
    if (extent == null || !old.record().equals(extent.record())) {
      expectedLosses.put(at, old.record());
    }
  }

  private void compareReports(Set<RecordId> before) {
    assertThat(reportedLosses).isEqualTo(expectedLosses);
    before.removeAll(liveBytes.keySet());
    assertThat(reportedOrphans).containsExactlyInAnyOrderElementsOf(before);
    expectedLosses.clear();
    reportedLosses.clear();
    reportedOrphans.clear();
  }

  @Override
  public void superseded(RecordId record, long offset, int lengthBytes) {
    for (int i = 0; i < lengthBytes; i++) {
      assertThat(reportedLosses.put((int) offset + i, record)).isNull();
    }
  }

  @Override
  public void orphaned(RecordId record, int group) {
    reportedOrphans.add(record);
  }

  /** Compares all of a range, the size, and the shape of the tree. */
  void compare(int offset, int lengthBytes) {
    assertThat(directory.sizeBytes()).isEqualTo(expectedSize());
    ExtentTreeInvariants.check(directory);
    readPosition = offset;
    directory.read(offset, lengthBytes, this);
    long end = Math.min(offset + lengthBytes, expectedSize());
    assertThat(readPosition).isEqualTo(Math.max(offset, end));
    Extent owner = owners[offset];
    Extent found = directory.at(offset);
    assertThat(found == null).isEqualTo(owner == null);
    if (found != null) compareByte(offset, found);
  }

  private long expectedSize() {
    int end = owners.length;
    while (end > truncatedBytes && owners[end - 1] == null) end--;
    return end;
  }

  @Override
  public void hole(long offset, long lengthBytes) {
    assertThat(offset).isEqualTo(readPosition);
    assertThat(lengthBytes).isPositive();
    readPosition += lengthBytes;
    for (long at = offset; at < readPosition; at++) assertThat(owners[(int) at]).isNull();
  }

  @Override
  public void extent(ExtentCursor piece) {
    assertThat(piece.offset()).isEqualTo(readPosition);
    Extent extent = piece.extent();
    readPosition = piece.endOffset();
    for (long at = extent.offset(); at < readPosition; at++) compareByte((int) at, extent);
  }

  private void compareByte(int at, Extent found) {
    Extent owner = owners[at];
    boolean same =
        owner != null
            && owner.record().equals(found.record())
            && owner.recordStart() == found.recordStart()
            && owner.recordBytes() == found.recordBytes()
            && owner.publish() == found.publish()
            && owner.group() == found.group();
    if (!same) throw new AssertionError("byte " + at + " is of " + found + ", not " + owner);
  }
}
