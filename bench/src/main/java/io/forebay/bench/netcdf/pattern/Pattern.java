// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.pattern;

import io.forebay.netcdf.DimensionId;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that all ranks of a program write, one after the other, each with variables of fixed
 * size and a list of collective requests, the same number for every rank.
 */
public interface Pattern {
  /** A dimension of a file. */
  record Along(String name, long length) {}

  /**
   * A variable of a file.
   *
   * @param along the places of its dimensions in the file's list
   */
  record Held(String name, ElementType type, List<Integer> along) {
    public Held {
      along = List.copyOf(along);
    }
  }

  /** What a file consists of. */
  record Shape(String name, List<Along> dimensions, List<Held> variables) {
    public Shape {
      dimensions = List.copyOf(dimensions);
      variables = List.copyOf(variables);
    }

    /** How many bytes its variables have. */
    public long dataBytes() {
      long total = 0;
      for (Held variable : variables) {
        long bytes = variable.type().sizeBytes();
        for (int place : variable.along()) bytes *= dimensions.get(place).length();
        total += bytes;
      }
      return total;
    }

    /** Defines all that in a new file; collective. Returns the variables in their order. */
    public List<VariableId> define(NetcdfFile file) throws IOException {
      List<DimensionId> ids = new ArrayList<>();
      for (Along each : dimensions) ids.add(file.defineDimension(each.name(), each.length()));
      List<VariableId> defined = new ArrayList<>();
      for (Held each : variables) {
        DimensionId[] along = each.along().stream().map(ids::get).toArray(DimensionId[]::new);
        defined.add(file.defineVariable(each.name(), each.type(), along));
      }
      file.endDefine();
      return defined;
    }
  }

  /** One request of one rank: the same number of them on every rank. */
  record Put(int variable, Subarray part) {
    public static Put of(int variable, long[] start, long[] count) {
      return new Put(variable, Subarray.of(start, count));
    }
  }

  /** Takes the requests of one rank, in their order. */
  @FunctionalInterface
  interface Sink<E extends Exception> {
    void put(Put put) throws E;
  }

  int ranks();

  /** The format of all files. */
  default Format format() {
    return Format.CDF5;
  }

  /** The files in the order in which they are written. */
  List<Shape> files();

  /** Gives the requests of a rank for a file to the sink. */
  <E extends Exception> void puts(int file, int rank, Sink<E> sink) throws E;

  /** How many elements of a type the longest request has, of any rank. */
  default long longest(ElementType type) {
    long[] longest = new long[1];
    for (int file = 0; file < files().size(); file++) {
      List<Held> variables = files().get(file).variables();
      for (int rank = 0; rank < ranks(); rank++) {
        this.<RuntimeException>puts(
            file,
            rank,
            put -> {
              if (variables.get(put.variable()).type() == type) {
                longest[0] = Math.max(longest[0], put.part().elements());
              }
            });
      }
    }
    return longest[0];
  }

  /** How many requests each rank has for a file. */
  default int putCount(int file) {
    int[] count = new int[1];
    this.<RuntimeException>puts(file, 0, put -> count[0]++);
    return count[0];
  }

  /** How many bytes all ranks write. */
  default long totalBytes() {
    return files().stream().mapToLong(Shape::dataBytes).sum();
  }
}
