// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static io.forebay.netcdf4.Netcdf4Library.number;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A part of a variable: some consecutive elements along each dimension. */
final class Part {
  private final FileCalls calls;
  private final FixedShape shape;
  private final int place;
  private final long[] start;
  private final long[] count;

  /**
   * Describes a part.
   *
   * @param place the variable's number
   */
  Part(FileCalls calls, FixedShape shape, int place, long[] start, long[] count) {
    this.calls = calls;
    this.shape = shape;
    this.place = place;
    this.start = start.clone();
    this.count = count.clone();
  }

  /** The first element of a variable. */
  static Part firstElement(FileCalls calls, FixedShape shape, int place) {
    int rank = shape.variables().get(place).dimensions().size();
    long[] ones = new long[rank];
    Arrays.fill(ones, 1);
    return new Part(calls, shape, place, new long[rank], ones);
  }

  /** How many elements it has, if it lies within the variable. */
  long elements() throws NetcdfException {
    Variable variable = shape.variables().get(place);
    int rank = variable.dimensions().size();
    boolean fits = start.length == rank && count.length == rank;
    long elements = 1;
    for (int i = 0; i < rank && fits; i++) {
      long length = shape.length(variable, i);
      fits = start[i] >= 0 && count[i] >= 0 && count[i] <= length - start[i];
      elements *= count[i];
    }
    if (fits) return elements;
    throw new NetcdfException(
        NetcdfError.OUT_OF_BOUNDS,
        "%s: start %s and count %s reach outside of variable '%s'"
            .formatted(
                calls.path(), Arrays.toString(start), Arrays.toString(count), variable.name()));
  }

  /**
   * Writes its elements. Called exclusively; see {@link Netcdf4Library}.
   *
   * @param file the file's id
   */
  void put(int file, MemorySegment bytes) throws NetcdfException {
    try (Arena arena = Arena.ofConfined()) {
      calls.netcdf(
          "variable '" + shape.variables().get(place).name() + "'",
          NativeFunction.PUT_VARA,
          number(file),
          number(place),
          arena.allocateFrom(ValueLayout.JAVA_LONG, start),
          arena.allocateFrom(ValueLayout.JAVA_LONG, count),
          bytes);
    }
  }
}
