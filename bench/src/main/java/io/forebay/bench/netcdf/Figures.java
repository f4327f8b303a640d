// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.netcdf.crew.Measured;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The results of the modes for one workload on one store, next to blocking writes. */
final class Figures {
  /** Separates a mode's name from the name of a figure of its breakdown. */
  static final String PART = ": ";

  static final String TOTAL = "end to end";
  static final String PUTS = "in puts";
  static final String CREATE = "log creation";
  static final String LOG = "log writing";
  static final String FLUSH = "flushing";
  static final String REORDER = "reordering";
  static final String WRITES = "writes";
  static final String MEAN = "mean write";

  private static final String SECONDS = "s";
  private static final double STRIDED_AIM = 4;
  private static final double BTIO_AIM = 1.5;
  private static final int BTIO_AIM_RANKS = 9;
  private static final double BTIO_WRITES_AIM = 0.05;
  private static final double FLASH_AIM = 0.9;

  /**
   * What was measured.
   *
   * @param smallest whether no smaller transfers were tried
   * @param logs the place of our logs, if it is to be shown
   */
  record Case(
      Workload workload,
      Store store,
      boolean smallest,
      String logs,
      Map<Mode, List<Measured>> measured) {
    String name(Mode mode) {
      String size = workload.kind().isIor() ? Rate.sizeName((int) workload.size()) + " " : "";
      String where = mode.isLog() && !logs.isEmpty() ? ", " + logs : "";
      return size + store.word() + " " + mode.text() + where;
    }

    Samples bandwidth(Mode mode) {
      long bytes = workload.pattern().totalBytes();
      return Samples.of(of(mode), each -> Rate.mibPerSecond(bytes, each.totalNanos()));
    }

    boolean has(Mode mode) {
      return measured.containsKey(mode);
    }

    List<Measured> of(Mode mode) {
      List<Measured> all = measured.get(mode);
      if (all == null) throw new IllegalArgumentException(mode + " was not measured");
      return all;
    }
  }

  private Figures() {}

  /** Bandwidths, and below them their components. */
  static List<Result> results(Case given) {
    List<Result> results = new ArrayList<>();
    for (Mode mode : given.measured().keySet()) results.add(bandwidth(given, mode));
    if (given.workload().kind() == Workload.Kind.BTIO_STRONG && given.has(Mode.DIRECT)) {
      if (given.has(Mode.LOG_PROCESS)) results.add(fewerWrites(given));
    }
    for (Mode mode : given.measured().keySet()) results.addAll(breakdown(given, mode));
    return results;
  }

  private static Result bandwidth(Case given, Mode mode) {
    Result result =
        Result.of(given.name(mode), Rate.MIB_PER_SECOND, Better.HIGHER, given.bandwidth(mode));
    if (mode == Mode.DIRECT || !given.has(Mode.DIRECT)) return result;
    Result beside = result.against(Mode.DIRECT.text(), given.bandwidth(Mode.DIRECT));
    Double aim = aim(given, mode);
    return aim == null ? beside : beside.aimingAt(aim);
  }

  private static @Nullable Double aim(Case given, Mode mode) {
    if (given.store() != Store.SLOW || mode != Mode.LOG_PROCESS) return null;
    return switch (given.workload().kind()) {
      case IOR_STRIDED -> given.smallest() ? STRIDED_AIM : null;
      case BTIO_STRONG -> given.workload().ranks() == BTIO_AIM_RANKS ? BTIO_AIM : null;
      case FLASH -> FLASH_AIM;
      case IOR_CONTIGUOUS, BTIO_WEAK -> null;
    };
  }

  private static Result fewerWrites(Case given) {
    Result result =
        Result.of(
                "destination writes of " + given.name(Mode.LOG_PROCESS),
                "",
                Better.LOWER,
                Samples.of(given.of(Mode.LOG_PROCESS), Measured::writes))
            .against(Mode.DIRECT.text(), Samples.of(given.of(Mode.DIRECT), Measured::writes));
    boolean aimed = given.store() == Store.SLOW && given.workload().ranks() == BTIO_AIM_RANKS;
    return aimed ? result.aimingAt(BTIO_WRITES_AIM) : result;
  }

  private static List<Result> breakdown(Case given, Mode mode) {
    List<Result> results = new ArrayList<>();
    results.add(seconds(given, mode, TOTAL, Measured::totalNanos));
    results.add(seconds(given, mode, PUTS, Measured::putNanos));
    results.add(seconds(given, mode, CREATE, Measured::createNanos));
    results.add(seconds(given, mode, LOG, Measured::logNanos));
    results.add(seconds(given, mode, FLUSH, Measured::flushNanos));
    results.add(seconds(given, mode, REORDER, Measured::reorderNanos));
    results.add(
        Result.of(
            given.name(mode) + PART + WRITES,
            "",
            Better.LOWER,
            Samples.of(given.of(mode), Measured::writes)));
    results.add(
        Result.of(
            given.name(mode) + PART + MEAN,
            "B",
            Better.HIGHER,
            Samples.of(
                given.of(mode),
                each -> (double) each.writtenBytes() / Math.max(1, each.writes()))));
    return results;
  }

  private static Result seconds(
      Case given, Mode mode, String part, ToLongFunction<Measured> nanos) {
    double second = TimeUnit.SECONDS.toNanos(1);
    return Result.of(
        given.name(mode) + PART + part,
        SECONDS,
        Better.LOWER,
        Samples.of(given.of(mode), each -> nanos.applyAsLong(each) / second));
  }
}
