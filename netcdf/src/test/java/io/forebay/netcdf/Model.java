// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What a file should hold: small whole numbers at indexes, zero where nothing was written. */
final class Model {
  private final Map<String, Map<List<Long>, Integer>> written = new HashMap<>();
  private final Map<String, Integer> fills = new HashMap<>();
  long records;

  void fill(String variable, int value) {
    fills.put(variable, value);
  }

  void put(Header header, Variable variable, Subarray part, int[] values) {
    Map<List<Long>, Integer> elements =
        written.computeIfAbsent(variable.name(), name -> new HashMap<>());
    eachIndex(part, (index, i) -> elements.put(index, values[i]));
    if (header.isRecord(variable) && part.elements() > 0) {
      records = Math.max(records, part.last(0) + 1);
    }
  }

  int[] get(Variable variable, Subarray part) {
    Map<List<Long>, Integer> elements = written.getOrDefault(variable.name(), Map.of());
    int fill = fills.getOrDefault(variable.name(), 0);
    int[] values = new int[(int) part.elements()];
    eachIndex(part, (index, i) -> values[i] = elements.getOrDefault(index, fill));
    return values;
  }

  private static void eachIndex(Subarray part, BiConsumer<List<Long>, Integer> action) {
    long[] at = new long[part.dimensions()];
    for (int i = 0; i < part.elements(); i++) {
      List<Long> index = new ArrayList<>();
      for (int d = 0; d < at.length; d++) index.add(part.start(d) + at[d] * part.stride(d));
      action.accept(index, i);
      for (int d = at.length - 1; d >= 0 && ++at[d] == part.count(d); d--) at[d] = 0;
    }
  }
}
