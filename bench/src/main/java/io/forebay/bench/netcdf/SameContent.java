// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.OpenMode;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Whether two files have the same contents, at any position. One thread. */
public final class SameContent {
  private SameContent() {}

  /** The first thing that differs, as a few words; nothing if nothing does. */
  public static String difference(Path one, Path other) throws IOException {
    try (NetcdfFile a = open(one);
        NetcdfFile b = open(other)) {
      Header left = a.header();
      Header right = b.header();
      if (!left.dimensions().equals(right.dimensions())) return "dimensions";
      if (left.variables().size() != right.variables().size()) return "the number of variables";
      for (int i = 0; i < left.variables().size(); i++) {
        Variable variable = left.variables().get(i);
        Variable same = right.variables().get(i).withBegin(variable.begin());
        if (!variable.equals(same)) return "the definition of " + variable.name();
        try (Arena arena = Arena.ofShared()) {
          MemorySegment mine = read(a, new VariableId(i), arena);
          if (mine.mismatch(read(b, new VariableId(i), arena)) >= 0) return variable.name();
        }
      }
      return "";
    }
  }

  private static NetcdfFile open(Path path) throws IOException {
    return NetcdfFile.open(Ranks.alone(), path.toString(), OpenMode.READ, Hints.none());
  }

  private static MemorySegment read(NetcdfFile file, VariableId id, Arena arena)
      throws IOException {
    Variable variable = file.header().variables().get(id.index());
    MemorySegment memory = arena.allocate(file.header().dataBytes(variable), Long.BYTES);
    file.getAll(id, Selection.all(), Values.of(memory, variable.type()));
    return memory;
  }
}
