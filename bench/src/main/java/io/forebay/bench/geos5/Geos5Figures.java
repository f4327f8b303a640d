// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.geos5.output.StepTimes;
import io.forebay.bench.geos5.output.Way;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The results of all ways, next to GEOS-5 as it is, with the aims of bundles. */
final class Geos5Figures {
  /** Behind a way's name, before what a part of its time is. */
  static final String PART = ": ";

  /** Behind the name of a step, before what was predicted or measured. */
  static final String STEP_PART = " | ";

  static final String TOTAL = "output";
  static final String SETUP = "setup";
  static final String CREATE = "create";
  static final String SHUFFLE = "shuffle";
  static final String AGGREGATE = "aggregate";
  static final String WRITE = "write";
  static final String REST = "rest";
  static final String MEMORY = "memory of a rank";
  static final String PREDICTED = "predicted ";
  static final String MEASURED = "measured ";

  private static final String SECONDS = "s";
  private static final String MIB = "MiB";
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double MIB_BYTES = 1 << 20;

  /** Of the paper, with 32 to 512 processes: 2.1. */
  private static final double FASTER_AIM = 2;

  private static final int FASTER_AIM_RANKS = 8;
  private static final double AUTO_AIM = 0.95;

  private final Geos5Options options;

  Geos5Figures(Geos5Options options) {
    this.options = options;
  }

  List<Result> results(Geos5Case given) {
    List<Result> results = new ArrayList<>();
    for (Way way : given.measured().keySet()) results.add(rate(given, way));
    given.fastest(Way.BPS, Way.AUTO).ifPresent(way -> results.add(faster(given, way)));
    if (given.has(Way.AUTO)) {
      given
          .fastest(Way.BPS, Way.LPS, Way.IPS)
          .ifPresent(best -> results.addAll(chosenWell(given, best)));
    }
    if (given.has(Way.BPS) && given.has(Way.BPS_SERIAL)) results.add(allWriters(given));
    given.measured().keySet().stream()
        .filter(Way::isBundled)
        .findFirst()
        .ifPresent(any -> results.add(memory(given)));
    for (Way way : given.measured().keySet()) results.addAll(dissection(given, way));
    if (options.explained() && given.has(Way.AUTO)) results.addAll(explanation(given));
    return results;
  }

  private static Result rate(Geos5Case given, Way way) {
    Result result = Result.of(given.name(way), Rate.MIB_PER_SECOND, Better.HIGHER, given.rate(way));
    if (way == Way.GEOS5_NETCDF) return result;
    return result.against(Way.GEOS5_NETCDF.word(), given.rate(Way.GEOS5_NETCDF));
  }

  private Result faster(Geos5Case given, Way way) {
    Result result =
        Result.of(
                "%s %d ranks BPS or auto".formatted(given.store().word(), given.ranks()),
                Rate.MIB_PER_SECOND,
                Better.HIGHER,
                given.rate(way))
            .against(Way.GEOS5_NETCDF.word(), given.rate(Way.GEOS5_NETCDF));
    boolean aimed =
        given.store() == Geos5Store.SLOW
            && given.ranks() == FASTER_AIM_RANKS
            && options.ranks() == Geos5Options.RankKind.THREADS;
    return aimed ? result.aimingAt(FASTER_AIM) : result;
  }

  /** With all steps, and without the first, before which auto measures messages. */
  private static List<Result> chosenWell(Geos5Case given, Way best) {
    String name = "%s %d ranks auto/best".formatted(given.store().word(), given.ranks());
    List<Result> results = new ArrayList<>();
    results.add(
        Result.of(name + " scheme", Rate.MIB_PER_SECOND, Better.HIGHER, given.rate(Way.AUTO))
            .against(best.word(), given.rate(best))
            .aimingAt(AUTO_AIM));
    if (given.steps() > 1) {
      results.add(
          Result.of(
                  name + ", step 2+", Rate.MIB_PER_SECOND, Better.HIGHER, given.laterRate(Way.AUTO))
              .against(best.word(), given.laterRate(best)));
    }
    return results;
  }

  /** Two ways to write netCDF-4 files: all aggregators as raw bytes, or the root alone. */
  private static Result allWriters(Geos5Case given) {
    return Result.of(
            "%s %d ranks raw/serial writes".formatted(given.store().word(), given.ranks()),
            Rate.MIB_PER_SECOND,
            Better.HIGHER,
            given.rate(Way.BPS))
        .against(Way.BPS_SERIAL.word(), given.rate(Way.BPS_SERIAL));
  }

  private Result memory(Geos5Case given) {
    double most = 0;
    for (Way way : given.measured().keySet()) {
      for (TrialTimes each : given.of(way)) most = Math.max(most, each.memoryBytes() / MIB_BYTES);
    }
    return Result.of(
            "%s %d ranks %s".formatted(given.store().word(), given.ranks(), MEMORY),
            MIB,
            Better.LOWER,
            Samples.of(most))
        .aimingAt(options.memoryBytes() / MIB_BYTES);
  }

  private static List<Result> dissection(Geos5Case given, Way way) {
    return List.of(
        seconds(given, way, TOTAL, TrialTimes::totalNanos),
        seconds(given, way, SETUP, TrialTimes::setupNanos),
        seconds(given, way, CREATE, each -> each.sum(StepTimes::createNanos)),
        seconds(given, way, SHUFFLE, each -> each.sum(StepTimes::shuffleNanos)),
        seconds(given, way, AGGREGATE, each -> each.sum(StepTimes::aggregateNanos)),
        seconds(given, way, WRITE, each -> each.sum(StepTimes::writeNanos)),
        seconds(given, way, REST, TrialTimes::restNanos),
        Result.of(
            given.name(way) + PART + MEMORY,
            MIB,
            Better.LOWER,
            Samples.of(given.of(way), each -> each.memoryBytes() / MIB_BYTES)));
  }

  private static Result seconds(
      Geos5Case given, Way way, String part, ToDoubleFunction<TrialTimes> nanos) {
    return Result.of(
        given.name(way) + PART + part,
        SECONDS,
        Better.LOWER,
        Samples.of(given.of(way), each -> nanos.applyAsDouble(each) / SECOND_NANOS));
  }

  /** The steps of the last trial of auto, next to the medians of the schemes in the same step. */
  private static List<Result> explanation(Geos5Case given) {
    List<Result> results = new ArrayList<>();
    List<StepTimes> steps = given.of(Way.AUTO).getLast().steps();
    for (int i = 0; i < steps.size(); i++) {
      int number = i;
      StepTimes step = steps.get(i);
      String name =
          "%s step %d %s"
              .formatted(given.name(Way.AUTO), i + 1, step.scheme().map(Scheme::name).orElse("-"));
      for (Scheme scheme : Scheme.values()) {
        Long nanos = step.predictedNanos().get(scheme);
        if (nanos != null)
          results.add(seconds(name, PREDICTED + scheme, Samples.of((double) nanos)));
        Way way = Way.of(scheme);
        if (!given.has(way)) continue;
        results.add(
            seconds(
                name,
                MEASURED + scheme,
                Samples.of(given.of(way), each -> each.steps().get(number).totalNanos())));
      }
      results.add(
          seconds(name, MEASURED + Way.AUTO.word(), Samples.of((double) step.totalNanos())));
    }
    return results;
  }

  private static Result seconds(String step, String part, Samples nanos) {
    return Result.of(
        step + STEP_PART + part, SECONDS, Better.LOWER, Samples.of(nanos.median() / SECOND_NANOS));
  }
}
