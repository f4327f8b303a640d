// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.base.ByteSize;
import io.forebay.bench.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** For people: one line for each mode with the components of its time and its writes. */
public final class BreakdownTable {
  private static final List<String> TIMES =
      List.of(
          Figures.TOTAL, Figures.PUTS, Figures.CREATE, Figures.LOG, Figures.FLUSH, Figures.REORDER);
  private static final double MILLIS = 1000;

  private BreakdownTable() {}

  /** Whether a result belongs here and not into the table of bandwidths. */
  public static boolean holds(Result result) {
    return result.name().contains(Figures.PART);
  }

  public static List<String> lines(List<Result> results) {
    Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
    for (Result result : results) {
      if (!holds(result)) continue;
      int end = result.name().indexOf(Figures.PART);
      rows.computeIfAbsent(result.name().substring(0, end), name -> new LinkedHashMap<>())
          .put(result.name().substring(end + Figures.PART.length()), result.value().median());
    }
    List<String> lines = new ArrayList<>();
    if (rows.isEmpty()) return lines;
    int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    String format = "%-" + width + "s %8s %7s %7s %7s %7s %7s %6s %9s";
    lines.add("milliseconds of the slowest rank; writes to the destination");
    lines.add(
        format.formatted(
            "", "total", "puts", "create", "log", "flush", "reorder", "writes", "mean"));
    rows.forEach((name, parts) -> lines.add(line(format, name, parts)));
    return lines;
  }

  private static String line(String format, String name, Map<String, Double> parts) {
    List<Object> cells = new ArrayList<>(List.of(name));
    for (String time : TIMES) cells.add(millis(parts.getOrDefault(time, 0.0)));
    cells.add("%.0f".formatted(parts.getOrDefault(Figures.WRITES, 0.0)));
    cells.add(ByteSize.format(Math.round(parts.getOrDefault(Figures.MEAN, 0.0))));
    return format.formatted(cells.toArray());
  }

  private static String millis(double seconds) {
    double millis = seconds * MILLIS;
    if (millis == 0) return "-";
    return String.format(Locale.ROOT, millis < 10 ? "%.2f" : "%.0f", millis);
  }
}
