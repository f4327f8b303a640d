// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import static io.forebay.bench.experiments.Geos5Times.COLLECTIVE_WRITE;
import static io.forebay.bench.experiments.Geos5Times.CREATE;
import static io.forebay.bench.experiments.Geos5Times.LAST_MOVE;
import static io.forebay.bench.experiments.Geos5Times.MOVE;
import static io.forebay.bench.experiments.Geos5Times.SCHEMES;
import static io.forebay.bench.experiments.Geos5Times.TOTAL;
import static io.forebay.bench.experiments.Geos5Times.WRITE;

import io.forebay.bench.experiments.Geos5Times.Part;
import io.forebay.bench.experiments.report.Statement;
import io.forebay.bench.geos5.model.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** What the paper on BPAR says about its figures, judged by simulated times. */
final class Geos5Statements {
  /** The paper's number of ranks from which on much changes. */
  private static final int TURN = 128;

  /** A smaller share of the time is negligible. */
  private static final double NEGLIGIBLE = 0.1;

  /** A larger share of the time dominates. */
  private static final double DOMINATES = 0.5;

  /** Times that differ by less are close to each other. */
  private static final double CLOSE = 0.25;

  private final Geos5Times times;
  private final List<Statement> statements = new ArrayList<>();

  private Geos5Statements(Geos5Times times) {
    this.times = times;
  }

  static List<Statement> of(Geos5Times times) {
    Geos5Statements all = new Geos5Statements(times);
    all.netcdf();
    all.pnetcdf();
    all.schemes();
    // The paper does not say whose time it is.
    all.shuffle(MOVE, "mean of ranks");
    all.shuffle(LAST_MOVE, "last rank");
    all.collectiveWrite();
    return all.statements;
  }

  private void netcdf() {
    List<Double> totals = times.row(Way.NETCDF, TOTAL);
    add(
        "Fig. 2: GEOS5-NetCDF takes the least time with 128 ranks",
        times.fastestRanks(Way.NETCDF, TOTAL) == TURN,
        "least with %d: %s"
            .formatted(times.fastestRanks(Way.NETCDF, TOTAL), Geos5Times.text(totals)));
    add(
        "Fig. 2: it gets faster from 32 to 128 ranks",
        isFalling(totals.subList(0, upTo(TURN))),
        Geos5Times.text(totals.subList(0, upTo(TURN))));
    add(
        "Fig. 2: it gets slower from 128 ranks on",
        isRising(totals.subList(upTo(TURN) - 1, totals.size())),
        Geos5Times.text(totals.subList(upTo(TURN) - 1, totals.size())));
    List<Double> moving = times.shares(Way.NETCDF, MOVE);
    add(
        "Fig. 3: its communication dominates",
        moving.stream().allMatch(share -> share > DOMINATES),
        Geos5Times.percent(moving));
    List<Double> writing = times.shares(Way.NETCDF, WRITE);
    add(
        "Fig. 3: its writes are negligible",
        writing.stream().allMatch(share -> share < NEGLIGIBLE),
        Geos5Times.percent(writing));
  }

  private void pnetcdf() {
    int few = times.ranks().getFirst();
    double first = times.seconds(Way.PNETCDF, few, TOTAL);
    add(
        "Fig. 2: GEOS5-PnetCDF is promising at first",
        first < times.seconds(Way.NETCDF, few, TOTAL),
        Geos5Times.text(List.of(first, times.seconds(Way.NETCDF, few, TOTAL))) + " (NetCDF)");
    int many = times.ranks().getLast();
    double last = times.seconds(Way.PNETCDF, many, TOTAL);
    add("Fig. 2: it does not scale", last > first, Geos5Times.text(times.row(Way.PNETCDF, TOTAL)));
    List<Double> writing = times.row(Way.PNETCDF, WRITE);
    add(
        "Fig. 4: its write time drops from 32 to 64 ranks, then grows",
        isFalling(writing.subList(0, 2)) && isRising(writing.subList(1, writing.size())),
        Geos5Times.text(writing));
    List<Double> creating = times.row(Way.PNETCDF, CREATE);
    add(
        "Fig. 4: creating files takes long, and longer with more ranks",
        isRising(creating) && times.shares(Way.PNETCDF, CREATE).getLast() > NEGLIGIBLE,
        Geos5Times.text(creating));
  }

  private void schemes() {
    for (Way way : SCHEMES) {
      add(
          "Fig. 8: %s is faster than GEOS5-NetCDF".formatted(way.text()),
          always(
              n -> times.seconds(way, n, TOTAL) < times.seconds(Way.NETCDF, n, TOTAL),
              0,
              Integer.MAX_VALUE),
          Geos5Times.text(times.row(way, TOTAL)));
    }
    add(
        "Fig. 8: BPS takes the least time up to 128 ranks",
        always(n -> times.least(n, TOTAL) == Way.BPS, 0, TURN),
        "least: " + names(TOTAL, true));
    add(
        "Fig. 8: IPS takes the least time with 256 and 512 ranks",
        always(n -> times.least(n, TOTAL) == Way.IPS, TURN + 1, Integer.MAX_VALUE),
        "least: " + names(TOTAL, true));
    add(
        "Fig. 8: IPS takes the most time at first",
        times.most(times.ranks().getFirst(), TOTAL) == Way.IPS,
        "most: " + names(TOTAL, false));
    add(
        "Fig. 8: LPS is comparable to BPS up to 128 ranks",
        always(n -> areClose(n, TOTAL), 0, TURN),
        Geos5Times.text(times.row(Way.LPS, TOTAL).subList(0, upTo(TURN))));
    add(
        "Fig. 8: LPS takes the most time from 256 ranks on",
        always(n -> times.most(n, TOTAL) == Way.LPS, TURN + 1, Integer.MAX_VALUE),
        "most: " + names(TOTAL, false));
  }

  private void shuffle(Part part, String measure) {
    add(
        "Fig. 9: IPS always has the least shuffle time, " + measure,
        always(n -> times.least(n, part) == Way.IPS, 0, Integer.MAX_VALUE),
        "least: " + names(part, true));
    long slow = times.ranks().stream().filter(n -> times.most(n, part) == Way.LPS).count();
    add(
        "Fig. 9: LPS almost always has the most shuffle time, " + measure,
        slow >= times.ranks().size() - 1,
        "most: " + names(part, false));
  }

  private void collectiveWrite() {
    add(
        "Fig. 10: IPS has by far the most collective write time",
        always(
            n ->
                times.seconds(Way.IPS, n, COLLECTIVE_WRITE)
                    > (1 + CLOSE)
                        * Math.max(
                            times.seconds(Way.BPS, n, COLLECTIVE_WRITE),
                            times.seconds(Way.LPS, n, COLLECTIVE_WRITE)),
            0,
            Integer.MAX_VALUE),
        Geos5Times.text(times.row(Way.IPS, COLLECTIVE_WRITE)));
    add(
        "Fig. 10: BPS and LPS have about the same",
        always(n -> areClose(n, COLLECTIVE_WRITE), 0, Integer.MAX_VALUE),
        "BPS %s; LPS %s"
            .formatted(
                Geos5Times.text(times.row(Way.BPS, COLLECTIVE_WRITE)),
                Geos5Times.text(times.row(Way.LPS, COLLECTIVE_WRITE))));
    add(
        "Fig. 10: it decreases with more ranks at first",
        SCHEMES.stream().allMatch(way -> isFalling(times.row(way, COLLECTIVE_WRITE).subList(0, 2))),
        "IPS " + Geos5Times.text(times.row(Way.IPS, COLLECTIVE_WRITE).subList(0, 2)));
  }

  private boolean areClose(int size, Part part) {
    double ratio = times.seconds(Way.BPS, size, part) / times.seconds(Way.LPS, size, part);
    return Math.max(ratio, 1 / ratio) < 1 + CLOSE;
  }

  private String names(Part part, boolean least) {
    return times.ranks().stream()
        .map(n -> (least ? times.least(n, part) : times.most(n, part)).text())
        .collect(Collectors.joining(", "));
  }

  private boolean always(IntPredicate holds, int from, int to) {
    return times.ranks().stream().filter(n -> n >= from && n <= to).allMatch(holds::test);
  }

  /** How many of the numbers of ranks are at most this. */
  private int upTo(int size) {
    return (int) times.ranks().stream().filter(n -> n <= size).count();
  }

  private static boolean isFalling(List<Double> row) {
    for (int i = 1; i < row.size(); i++) {
      if (row.get(i) >= row.get(i - 1)) return false;
    }
    return true;
  }

  private static boolean isRising(List<Double> row) {
    for (int i = 1; i < row.size(); i++) {
      if (row.get(i) <= row.get(i - 1)) return false;
    }
    return true;
  }

  private void add(String paper, boolean agrees, String here) {
    statements.add(new Statement(paper, agrees, here));
  }
}
