// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The network's curves as a picture that any browser shows: rate over length of message, both on
 * logarithmic scales. The same figures give the same bytes.
 */
public final class CurvePlot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 440;
  private static final int LEFT = 70;
  private static final int TOP = 50;
  private static final int PLOT_WIDTH = 540;
  private static final int PLOT_HEIGHT = 330;
  private static final int LEGEND_AT = LEFT + PLOT_WIDTH + 20;
  private static final int LINE_HEIGHT = 20;

  /** Distinguishable with colour blindness, too. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#999999", "#555555");

  private record Point(int bytes, double rate) {}

  private final Map<String, List<Point>> curves = new LinkedHashMap<>();
  private double bytesMin = Double.MAX_VALUE;
  private double bytesMax = 1;
  private double rateMin = Double.MAX_VALUE;
  private double rateMax = 1;

  private CurvePlot(List<Result> results) {
    for (Result result : results) {
      CurvePoint point = CurvePoint.of(result);
      if (point == null) continue;
      double rate = result.value().median();
      curves
          .computeIfAbsent(point.curve(), name -> new ArrayList<>())
          .add(new Point(point.messageBytes(), rate));
      bytesMin = Math.min(bytesMin, point.messageBytes());
      bytesMax = Math.max(bytesMax, point.messageBytes());
      rateMin = Math.min(rateMin, rate);
      rateMax = Math.max(rateMax, rate);
    }
  }

  public static String svg(List<Result> results) {
    return new CurvePlot(results).draw();
  }

  private String draw() {
    StringBuilder out = new StringBuilder();
    line(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'"
                .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT)
            + " font-family='sans-serif' font-size='13'>");
    line(out, "<rect width='%d' height='%d' fill='#ffffff'/>".formatted(WIDTH, HEIGHT));
    text(out, 16, 26, "font-size='16' font-weight='bold'", "Bare sockets by length of message");
    for (double rate = 1; rate < rateMax * 10; rate *= 10) {
      if (rate < rateMin / 10) continue;
      double y = y(Math.min(rate, rateMax));
      if (rate <= rateMax && rate >= rateMin) {
        grid(out, LEFT, y, LEFT + PLOT_WIDTH, y);
        text(out, LEFT - 6, y + 4, "text-anchor='end'", "%.0f".formatted(rate));
      }
    }
    text(out, 16, TOP - 6, "fill='#555555'", "MiB/s");
    for (int bytes = 64; bytes > 0 && bytes <= bytesMax; bytes *= 16) {
      if (bytes < bytesMin) continue;
      grid(out, x(bytes), TOP, x(bytes), TOP + PLOT_HEIGHT);
      text(
          out,
          x(bytes),
          TOP + PLOT_HEIGHT + 18,
          "text-anchor='middle'",
          CurveTable.sizeName(bytes));
    }
    int number = 0;
    for (Map.Entry<String, List<Point>> curve : curves.entrySet()) {
      String colour = COLOURS.get(number % COLOURS.size());
      StringBuilder points = new StringBuilder();
      for (Point point : curve.getValue()) {
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.bytes()), y(point.rate())));
      }
      line(
          out,
          "<polyline fill='none' stroke='%s' stroke-width='2' points='%s'/>"
              .formatted(colour, points.toString().strip()));
      int at = TOP + 10 + number * LINE_HEIGHT;
      line(
          out,
          "<rect x='%d' y='%d' width='14' height='4' fill='%s'/>"
              .formatted(LEGEND_AT, at - 6, colour));
      text(out, LEGEND_AT + 20, at, "fill='#000000'", curve.getKey());
      number++;
    }
    line(out, "</svg>");
    return out.toString();
  }

  private double x(double bytes) {
    return LEFT + PLOT_WIDTH * share(bytes, bytesMin, bytesMax);
  }

  private double y(double rate) {
    return TOP + PLOT_HEIGHT * (1 - share(rate, rateMin, rateMax));
  }

  /** How far a value is from the lowest to the highest, on a logarithmic scale. */
  private static double share(double value, double min, double max) {
    if (max <= min) return 0;
    return Math.log(value / min) / Math.log(max / min);
  }

  private static void grid(StringBuilder out, double x1, double y1, double x2, double y2) {
    line(
        out,
        String.format(
            Locale.ROOT,
            "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#dddddd'/>",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(StringBuilder out, double x, double y, String style, String words) {
    line(
        out,
        String.format(Locale.ROOT, "<text x='%.1f' y='%.1f' %s>%s</text>", x, y, style, words));
  }

  private static void line(StringBuilder out, String line) {
    out.append(line).append('\n');
  }
}
