// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Bars with their names and values, in groups, as a picture that any browser shows. The same
 * figures give the same bytes.
 */
public record BarChart(String title, String subtitle, List<Group> groups) {
  public record Bar(String name, double value) {}

  public record Group(String name, List<Bar> bars) {
    public Group {
      bars = List.copyOf(bars);
    }
  }

  private static final int WIDTH = 760;
  private static final int MARGIN = 16;
  private static final int BARS_AT = 250;
  private static final int BARS_WIDTH = 420;
  private static final int TITLE_HEIGHT = 62;
  private static final int GROUP_HEIGHT = 30;
  private static final int ROW_HEIGHT = 24;
  private static final int BAR_HEIGHT = 16;

  /** The distance from a row's upper edge to the baseline of its text. */
  private static final int BASELINE = 13;

  /** Distinguishable with colour blindness, too. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#999999", "#555555");

  public BarChart {
    groups = List.copyOf(groups);
  }

  public String toSvg() {
    StringBuilder out = new StringBuilder();
    int height = height();
    line(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'"
                .formatted(WIDTH, height, WIDTH, height)
            + " font-family='sans-serif' font-size='13'>");
    line(out, "<rect width='%d' height='%d' fill='#ffffff'/>".formatted(WIDTH, height));
    text(out, MARGIN, 26, "font-size='16' font-weight='bold'", title);
    text(out, MARGIN, 46, "fill='#555555'", subtitle);
    double most = groups.stream().mapToDouble(BarChart::most).max().orElse(1);
    List<String> names = new ArrayList<>();
    int y = TITLE_HEIGHT;
    for (Group group : groups) {
      if (!group.name().isEmpty()) {
        text(out, MARGIN, y + GROUP_HEIGHT - 12, "font-weight='bold'", group.name());
        y += GROUP_HEIGHT;
      }
      for (Bar bar : group.bars()) {
        if (!names.contains(bar.name())) names.add(bar.name());
        String colour = COLOURS.get(names.indexOf(bar.name()) % COLOURS.size());
        row(out, y, bar, most, colour);
        y += ROW_HEIGHT;
      }
    }
    line(out, "</svg>");
    return out.toString();
  }

  private int height() {
    int height = TITLE_HEIGHT + MARGIN;
    for (Group group : groups) {
      height += (group.name().isEmpty() ? 0 : GROUP_HEIGHT) + ROW_HEIGHT * group.bars().size();
    }
    return height;
  }

  private static double most(Group group) {
    return group.bars().stream().mapToDouble(Bar::value).max().orElse(1);
  }

  private static void row(StringBuilder out, int y, Bar bar, double most, String colour) {
    int width = (int) Math.max(1, Math.round(bar.value() / most * BARS_WIDTH));
    text(out, BARS_AT - 8, y + BASELINE, "text-anchor='end'", bar.name());
    line(
        out,
        "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>"
            .formatted(BARS_AT, y, width, BAR_HEIGHT, colour));
    text(out, BARS_AT + width + 6, y + BASELINE, "fill='#000000'", figure(bar.value()));
  }

  private static void text(StringBuilder out, int x, int y, String style, String words) {
    line(out, "<text x='%d' y='%d' %s>%s</text>".formatted(x, y, style, escaped(words)));
  }

  private static String figure(double value) {
    String format = value >= 10 ? "%.0f" : value >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static void line(StringBuilder out, String line) {
    out.append(line).append('\n');
  }
}
