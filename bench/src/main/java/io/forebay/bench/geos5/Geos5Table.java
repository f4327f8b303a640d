// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Report;
import io.forebay.bench.Result;
import io.forebay.bench.Table;
import io.forebay.bench.geos5.output.Way;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * For people: rates with their aims first, then for each way what its time consists of, then the
 * predictions.
 */
public final class Geos5Table {
  private static final double MILLIS = 1000;
  private static final List<String> PARTS =
      List.of(
          Geos5Figures.TOTAL,
          Geos5Figures.SETUP,
          Geos5Figures.CREATE,
          Geos5Figures.SHUFFLE,
          Geos5Figures.AGGREGATE,
          Geos5Figures.WRITE,
          Geos5Figures.REST);

  private Geos5Table() {}

  public static List<String> lines(Report report) {
    List<Result> results = report.outcome().results();
    List<Result> rates =
        results.stream()
            .filter(each -> !each.name().contains(Geos5Figures.PART))
            .filter(each -> !each.name().contains(Geos5Figures.STEP_PART))
            .toList();
    List<String> lines =
        new ArrayList<>(
            Table.lines(
                new Report(
                    report.bench(),
                    report.commit(),
                    report.machine(),
                    report.seed(),
                    new Benchmark.Outcome(rates, report.outcome().notes()))));
    lines.add("");
    lines.addAll(dissection(rows(results, Geos5Figures.PART)));
    Map<String, Map<String, Double>> steps = rows(results, Geos5Figures.STEP_PART);
    if (!steps.isEmpty()) {
      lines.add("");
      lines.addAll(explanation(steps));
    }
    return lines;
  }

  private static Map<String, Map<String, Double>> rows(List<Result> results, String separator) {
    Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
    for (Result result : results) {
      int end = result.name().indexOf(separator);
      if (end < 0) continue;
      rows.computeIfAbsent(result.name().substring(0, end), name -> new LinkedHashMap<>())
          .put(result.name().substring(end + separator.length()), result.value().median());
    }
    return rows;
  }

  private static List<String> dissection(Map<String, Map<String, Double>> rows) {
    String format = nameColumn(rows) + " %7s %6s %6s %7s %9s %7s %7s %6s";
    List<String> lines = new ArrayList<>();
    lines.add("milliseconds of all steps together; memory of a rank in MiB");
    lines.add(
        format.formatted(
            "", "output", "setup", "create", "shuffle", "aggregate", "write", "rest", "memory"));
    rows.forEach(
        (name, parts) -> {
          List<Object> cells = new ArrayList<>(List.of(name));
          for (String part : PARTS) cells.add(millis(parts.getOrDefault(part, 0.0)));
          double memory = parts.getOrDefault(Geos5Figures.MEMORY, 0.0);
          cells.add(memory == 0 ? "-" : String.format(Locale.ROOT, "%.1f", memory));
          lines.add(format.formatted(cells.toArray()));
        });
    return lines;
  }

  private static List<String> explanation(Map<String, Map<String, Double>> rows) {
    String format = nameColumn(rows) + " %9s %6s %6s | %8s %6s %6s %6s";
    List<String> lines = new ArrayList<>();
    lines.add("milliseconds: predicted | measured, of auto in its last trial, of schemes medians");
    List<Object> titles = new ArrayList<>(List.of("", "BPS", "LPS", "IPS", Way.AUTO.word()));
    for (Scheme scheme : Scheme.values()) titles.add(scheme.name());
    lines.add(format.formatted(titles.toArray()));
    rows.forEach(
        (name, parts) -> {
          List<Object> cells = new ArrayList<>(List.of(name));
          for (Scheme scheme : Scheme.values()) {
            cells.add(millis(parts.getOrDefault(Geos5Figures.PREDICTED + scheme, 0.0)));
          }
          String auto = Geos5Figures.MEASURED + Way.AUTO.word();
          cells.add(millis(parts.getOrDefault(auto, 0.0)));
          for (Scheme scheme : Scheme.values()) {
            cells.add(millis(parts.getOrDefault(Geos5Figures.MEASURED + scheme, 0.0)));
          }
          lines.add(format.formatted(cells.toArray()));
        });
    return lines;
  }

  private static String nameColumn(Map<String, Map<String, Double>> rows) {
    return "%-" + rows.keySet().stream().mapToInt(String::length).max().orElse(1) + "s";
  }

  private static String millis(double seconds) {
    double millis = seconds * MILLIS;
    if (millis == 0) return "-";
    return String.format(Locale.ROOT, millis < 10 ? "%.2f" : "%.0f", millis);
  }
}
