// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The network's curves for people: a line for each length of message, a column for each curve, and
 * a bar for the fastest of them. At most 100 columns with eight curves.
 */
public final class CurveTable {
  private static final int BAR_WIDTH = 12;
  private static final int FIRST_WIDTH = 9;
  private static final int CELL_WIDTH = 9;
  private static final int KIB = 1024;

  private CurveTable() {}

  /** The lines; none if no result is a point of a curve. */
  public static List<String> lines(List<Result> results) {
    Map<String, List<String>> titles = new LinkedHashMap<>();
    Map<Integer, Map<String, Double>> rows = new TreeMap<>();
    for (Result result : results) {
      CurvePoint point = CurvePoint.of(result);
      if (point == null) continue;
      titles.putIfAbsent(
          point.curve(),
          List.of(point.transport(), "x" + point.streams(), point.out() ? "out" : "in"));
      rows.computeIfAbsent(point.messageBytes(), bytes -> new LinkedHashMap<>())
          .put(point.curve(), result.value().median());
    }
    if (rows.isEmpty()) return List.of();
    List<String> lines = new ArrayList<>();
    lines.add("bare sockets by length of message, MiB/s; x is the number of streams");
    for (int i = 0; i < 3; i++) {
      StringBuilder line = new StringBuilder(pad(i == 2 ? "message" : "", FIRST_WIDTH));
      for (List<String> title : titles.values()) line.append(padded(title.get(i)));
      lines.add(line.toString().stripTrailing());
    }
    double most = rows.values().stream().mapToDouble(CurveTable::fastest).max().orElse(1);
    rows.forEach((bytes, row) -> lines.add(line(bytes, row, titles.keySet(), most)));
    return lines;
  }

  private static String line(
      int bytes, Map<String, Double> row, Iterable<String> curves, double most) {
    StringBuilder line = new StringBuilder(pad(sizeName(bytes), FIRST_WIDTH));
    for (String curve : curves) {
      Double rate = row.get(curve);
      line.append(padded(rate == null ? "-" : figure(rate)));
    }
    line.append("  ").append("█".repeat((int) Math.round(fastest(row) / most * BAR_WIDTH)));
    return line.toString().stripTrailing();
  }

  private static double fastest(Map<String, Double> row) {
    return row.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private static String figure(double rate) {
    return String.format(Locale.ROOT, rate >= 100 ? "%.0f" : "%.1f", rate);
  }

  /** In words, such as 64KiB, or 65,539B for what is no power of two. */
  static String sizeName(int bytes) {
    if (bytes % (KIB * KIB) == 0) return bytes / KIB / KIB + "MiB";
    if (bytes % KIB == 0) return bytes / KIB + "KiB";
    return bytes + "B";
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String padded(String text) {
    return " ".repeat(Math.max(1, CELL_WIDTH - text.length())) + text;
  }
}
