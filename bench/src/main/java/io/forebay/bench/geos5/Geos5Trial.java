// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.geos5.output.Way;
import java.util.List;

/**
 * One measurement. It is also sent as a line of text, to ranks that are processes.
 *
 * @param place a directory or the address of an instance, with a slash at the end
 * @param memoryBytes how much memory a rank of a group may use
 */
record Geos5Trial(
    Way way, Geos5Workload workload, Geos5Store store, String place, long memoryBytes) {
  private static final String SEPARATOR = "\t";
  private static final int FIELDS = 5;

  String toLine() {
    return String.join(
        SEPARATOR, way.word(), workload.toText(), store.name(), place, Long.toString(memoryBytes));
  }

  static Geos5Trial parse(String line) {
    List<String> fields = List.of(line.split(SEPARATOR, -1));
    if (fields.size() != FIELDS) throw new IllegalArgumentException("not a trial: " + line);
    return new Geos5Trial(
        Way.of(fields.get(0)),
        Geos5Workload.parse(fields.get(1)),
        Geos5Store.valueOf(fields.get(2)),
        fields.get(3),
        Long.parseLong(fields.get(4)));
  }
}
