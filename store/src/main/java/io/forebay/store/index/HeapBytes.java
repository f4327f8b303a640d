// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

/**
 * The heap size of objects. The figures are those of HotSpot with compressed references; a heap
 * beyond 32 GiB has wider references, which adds about 1 % to a large directory.
 */
final class HeapBytes {
  static final int REFERENCE = Integer.BYTES;

  private static final int OBJECT_HEADER = 12;
  private static final int ARRAY_HEADER = OBJECT_HEADER + Integer.BYTES;
  private static final int ALIGNMENT = 8;

  private HeapBytes() {}

  static long object(int fieldBytes) {
    return aligned(OBJECT_HEADER + fieldBytes);
  }

  static long array(int length, int elementBytes) {
    return aligned(ARRAY_HEADER + (long) length * elementBytes);
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
