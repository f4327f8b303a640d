// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.pattern;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;

/**
 * The elements that a rank writes, created before anything is timed: for each type one row of
 * numbers. A request's elements begin at the index of the request's number, counted over all files,
 * so that no two are alike. The reference program in C creates the same.
 */
public final class Elements {
  /**
   * The period of the numbers; every type except bytes holds this period times any rank exactly.
   */
  private static final int PERIOD = 4093;

  private static final int RANK_FACTOR = 4096;

  private final Map<ElementType, MemorySegment> rows = new EnumMap<>(ElementType.class);

  /** For one rank; memory that any thread may read, for as long as the arena is open. */
  public Elements(Pattern pattern, int rank, Arena arena) {
    int puts = 0;
    for (int file = 0; file < pattern.files().size(); file++) {
      puts += pattern.putCount(file);
    }
    for (ElementType type :
        new ElementType[] {
          ElementType.BYTE, ElementType.INT, ElementType.FLOAT, ElementType.DOUBLE
        }) {
      long longest = pattern.longest(type);
      if (longest > 0) rows.put(type, row(type, longest + puts, rank, arena));
    }
  }

  private static MemorySegment row(ElementType type, long count, int rank, Arena arena) {
    MemorySegment row = arena.allocate(count * type.sizeBytes(), Long.BYTES);
    for (long k = 0; k < count; k++) {
      int number = rank * RANK_FACTOR + (int) (k % PERIOD);
      switch (type) {
        case BYTE -> row.set(ValueLayout.JAVA_BYTE, k, (byte) (number + rank));
        case INT -> row.setAtIndex(ValueLayout.JAVA_INT, k, number);
        case FLOAT -> row.setAtIndex(ValueLayout.JAVA_FLOAT, k, number);
        case DOUBLE -> row.setAtIndex(ValueLayout.JAVA_DOUBLE, k, number);
        default -> throw new IllegalStateException("no pattern has " + type);
      }
    }
    return row;
  }

  /** The elements of a rank's request of that number. */
  public Values of(ElementType type, int putNumber, long count) {
    MemorySegment row = rows.get(type);
    if (row == null) throw new IllegalArgumentException("no elements of " + type);
    int size = type.sizeBytes();
    return Values.of(row.asSlice((long) putNumber * size, count * size), type);
  }
}
