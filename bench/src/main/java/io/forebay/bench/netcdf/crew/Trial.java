// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.bench.netcdf.mode.ModeFiles;
import io.forebay.bench.netcdf.pattern.Pattern;
import java.nio.file.Path;
import java.util.List;

/**
 * One measurement. It is also sent as a line of text, to ranks that are processes.
 *
 * @param store the destination
 * @param ranksPerNode how many ranks are treated as one node
 * @param computeMillis how long ranks compute before each step of the program
 */
public record Trial(
    Workload workload,
    Mode mode,
    ModeFiles.Places places,
    Store store,
    int ranksPerNode,
    int computeMillis) {
  private static final String SEPARATOR = "\t";
  private static final int FIELDS = 9;

  Pattern pattern() {
    return workload.pattern();
  }

  public String toLine() {
    return String.join(
        SEPARATOR,
        workload.toText(),
        mode.word(),
        places.directory().toString(),
        places.fast().toString(),
        places.logs(),
        store.word(),
        Integer.toString(ranksPerNode),
        Integer.toString(computeMillis),
        Boolean.toString(places.forced()));
  }

  public static Trial parse(String line) {
    List<String> fields = List.of(line.split(SEPARATOR, -1));
    if (fields.size() != FIELDS) throw new IllegalArgumentException("not a trial: " + line);
    return new Trial(
        Workload.parse(fields.get(0)),
        Mode.of(fields.get(1)),
        new ModeFiles.Places(
            Path.of(fields.get(2)),
            Path.of(fields.get(3)),
            fields.get(4),
            Boolean.parseBoolean(fields.get(8))),
        Store.of(fields.get(5)),
        Integer.parseInt(fields.get(6)),
        Integer.parseInt(fields.get(7)));
  }
}
