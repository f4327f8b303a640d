// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table for people: as wide as its cells, and of bounded length. */
public final class Table {
  /** Rows that are shown; the rest is for {@code --json}. */
  public static final int ROWS_MAX = 40;

  /** No line should be longer. */
  public static final int WIDTH_MAX = 100;

  private final List<String> heads;
  private final int leftColumns;
  private final List<List<String>> rows = new ArrayList<>();
  private boolean wordsLast;
  private int more;

  /**
   * Begins a table.
   *
   * @param leftColumns how many columns hold words; the others hold numbers and end at the right
   */
  public Table(int leftColumns, String... heads) {
    this.leftColumns = leftColumns;
    this.heads = List.of(heads);
  }

  /** The last column holds words too. */
  public Table wordsLast() {
    wordsLast = true;
    return this;
  }

  public void row(String... cells) {
    if (cells.length != heads.size()) throw new IllegalArgumentException("cells " + cells.length);
    if (rows.size() < ROWS_MAX) rows.add(List.of(cells));
    else more++;
  }

  public void print(PrintWriter out) {
    int[] widths = new int[heads.size()];
    measure(heads, widths);
    for (List<String> row : rows) measure(row, widths);
    int cellChars = 0;
    for (int width : widths) cellChars += width;
    boolean wide = cellChars + 2 * (widths.length - 1) <= WIDTH_MAX;
    String separator = wide ? "  " : " ";
    print(heads, widths, separator, out);
    for (List<String> row : rows) print(row, widths, separator, out);
    if (more > 0) out.println("… and " + more + " more (use --json)");
  }

  private static void measure(List<String> row, int[] widths) {
    for (int i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i], row.get(i).length());
  }

  private void print(List<String> row, int[] widths, String separator, PrintWriter out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      if (i > 0) line.append(separator);
      boolean words = i < leftColumns || (wordsLast && i == widths.length - 1);
      line.append(words ? cell + padding : padding + cell);
    }
    out.println(line.toString().stripTrailing());
  }
}
