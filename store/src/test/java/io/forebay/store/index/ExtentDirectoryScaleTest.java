// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A million extents: trees of all heights, their memory, and nodes that empty again. */
final class ExtentDirectoryScaleTest {
  private static final int EXTENTS = 1_000_000;
  private static final int EXTENT_BYTES = 4096;
  private static final long FILE_BYTES = (long) EXTENTS * EXTENT_BYTES;
  private static final int MEMORY_PER_EXTENT_MAX = 64;

  private final ExtentDirectory directory = new ExtentDirectory();
  private final Counting out = new Counting();

  private static final class Counting implements Superseded {
    private long lostBytes;
    private int orphans;

    @Override
    public void superseded(RecordId record, long offset, int lengthBytes) {
      lostBytes += lengthBytes;
    }

    @Override
    public void orphaned(RecordId record, int group) {
      orphans++;
    }
  }

  @Test
  void sequential() {
    for (int i = 0; i < EXTENTS; i++) publish(i, 1);
    checkWhole(1);
    for (int i = 0; i < EXTENTS; i++) publish(i, 2);
    checkOverwritten();
  }

  @Test
  void shuffled() {
    int[] order = shuffledOrder(1);
    for (int i : order) publish(i, 1);
    checkWhole(1);
    for (int i : shuffledOrder(2)) publish(i, 2);
    checkOverwritten();
  }

  @Test
  void largeOverwriteEmptiesTheMiddle() {
    for (int i = 0; i < EXTENTS; i++) publish(i, 1);
    int covered = EXTENTS / 4;
    long from = (long) EXTENTS / 2 * EXTENT_BYTES + 1;
    int length = covered * EXTENT_BYTES;
    directory.publish(new Extent(from, length, new RecordId(2, 1), 0, length, 2, 0), out);
    // Off by one byte: the first and the last extent under it keep a byte or more.
    assertThat(out.orphans).isEqualTo(covered - 1);
    assertThat(out.lostBytes).isEqualTo(length);
    assertThat(directory.extents()).isEqualTo(EXTENTS - covered + 2);
    ExtentTreeInvariants.check(directory);
    checkMemory();
  }

  @Test
  void truncationInStepsEmptiesTheFile() {
    for (int i : shuffledOrder(3)) publish(i, 1);
    int left = EXTENTS;
    for (long publish = 2; left > 0; publish++) {
      left = left * 2 / 3;
      directory.truncate(publish, (long) left * EXTENT_BYTES, out);
      assertThat(directory.extents()).isEqualTo(left);
      assertThat(out.orphans).isEqualTo(EXTENTS - left);
      ExtentTreeInvariants.check(directory);
    }
  }

  private void checkWhole(long publish) {
    assertThat(directory.extents()).isEqualTo(EXTENTS);
    assertThat(directory.sizeBytes()).isEqualTo(FILE_BYTES);
    ExtentTreeInvariants.check(directory);
    checkMemory();
    ExtentCursor cursor = directory.cursor();
    for (int i = 0; i < EXTENTS; i++) {
      boolean found = cursor.find((long) i * EXTENT_BYTES + i % EXTENT_BYTES);
      if (!found || cursor.sequence() != i || cursor.publish() != publish) {
        throw new AssertionError("extent " + i + " not found");
      }
    }
  }

  private void checkOverwritten() {
    checkWhole(2);
    assertThat(out.orphans).isEqualTo(EXTENTS);
    assertThat(out.lostBytes).isEqualTo(FILE_BYTES);
  }

  private void checkMemory() {
    assertThat(directory.memoryBytes())
        .isLessThan((long) MEMORY_PER_EXTENT_MAX * directory.extents());
  }

  private void publish(int index, long publish) {
    RecordId record = new RecordId(publish, index);
    long offset = (long) index * EXTENT_BYTES;
    directory.publish(new Extent(offset, EXTENT_BYTES, record, 0, EXTENT_BYTES, publish, 0), out);
  }

  private static int[] shuffledOrder(long seed) {
    Random random = new Random(seed);
    int[] order = new int[EXTENTS];
    for (int i = 0; i < EXTENTS; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }
}
