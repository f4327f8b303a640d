// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import io.forebay.base.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A report for people: the same figures as in JSON, in lines of at most {@link #WIDTH} columns. */
public final class Table {
  public static final int WIDTH = 100;

  private static final String GAP = "  ";
  private static final int NAME = 0;
  private static final int UNIT = 2;
  private static final int BASELINE_NAME = 4;
  private static final List<String> TITLES =
      List.of("name", "value", "unit", "baseline", "", "ratio", "aim");

  /** Columns of words; the others are figures, which stand below each other by their end. */
  private static final List<Integer> LEFT = List.of(NAME, UNIT, BASELINE_NAME, TITLES.size() - 1);

  private Table() {}

  public static List<String> lines(Report report) {
    List<String> lines = new ArrayList<>();
    Machine machine = report.machine();
    lines.add(
        "bench " + report.bench() + ", commit " + report.commit() + ", seed " + report.seed());
    lines.add(
        "%d cores, %s of memory, Java %s"
            .formatted(machine.cores(), ByteSize.format(machine.memoryBytes()), machine.java()));
    lines.add("");
    List<List<String>> rows = new ArrayList<>();
    rows.add(TITLES);
    for (Result result : report.outcome().results()) rows.add(cells(result));
    int[] widths = widths(rows);
    for (List<String> row : rows) lines.add(line(row, widths));
    if (!report.outcome().notes().isEmpty()) lines.add("");
    for (String note : report.outcome().notes()) lines.addAll(wrapped("note: " + note));
    return lines;
  }

  private static List<String> cells(Result result) {
    Result.Baseline baseline = result.baseline();
    return List.of(
        result.name(),
        figure(result.value().median()),
        result.unit(),
        baseline == null ? "" : figure(baseline.samples().median()),
        baseline == null ? "" : baseline.name(),
        ratio(result.ratio()),
        aim(result));
  }

  private static String figure(double figure) {
    String format = figure >= 100 ? "%.0f" : figure >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, figure);
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String aim(Result result) {
    Double aim = result.aim();
    Boolean met = result.met();
    if (aim == null || met == null) return "";
    String sign = result.better() == Result.Better.HIGHER ? ">= " : "<= ";
    String bound = String.format(Locale.ROOT, aim == Math.rint(aim) ? "%.0f" : "%.2f", aim);
    return sign + bound + (met ? " ok" : " missed");
  }

  /** As wide as the widest cell; if that is too much for a line, the words are shortened. */
  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[TITLES.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i], row.get(i).length());
    }
    int total = GAP.length() * (widths.length - 1);
    for (int width : widths) total += width;
    for (int column : List.of(BASELINE_NAME, NAME)) {
      int most = Math.max(0, widths[column] - TITLES.get(NAME).length());
      int cut = Math.clamp(total - WIDTH, 0, most);
      widths[column] -= cut;
      total -= cut;
    }
    return widths;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (i > 0) line.append(GAP);
      String cell = shortened(row.get(i), widths[i]);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(LEFT.contains(i) ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }

  private static String shortened(String cell, int width) {
    return cell.length() <= width ? cell : cell.substring(0, width - 1) + "…";
  }

  private static List<String> wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
