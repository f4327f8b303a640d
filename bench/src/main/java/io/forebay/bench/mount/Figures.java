// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mount;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.process.MountedDirectories.Caching;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results of the ways for transfers of one size, with their baselines. */
final class Figures {
  /** A mount may cost a little more than the kernel's part and the client's part together. */
  private static final double SUM_AIM = 1.15;

  private static final double SHORT_WRITEBACK_AIM = 0.60;
  private static final int LARGE_BYTES = 1 << 20;
  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  private final int transferBytes;
  private final long bytes;
  private final List<List<Ways.Seconds>> measured;

  /**
   * Of one size.
   *
   * @param bytes that each measurement moved
   */
  Figures(int transferBytes, long bytes, List<List<Ways.Seconds>> measured) {
    this.transferBytes = transferBytes;
    this.bytes = bytes;
    this.measured = measured;
  }

  List<Result> results() {
    List<Result> results = new ArrayList<>();
    results.addAll(results("write", Ways.Seconds::write));
    results.addAll(results("read", Ways.Seconds::read));
    return results;
  }

  private List<Result> results(String access, ToDoubleFunction<Ways.Seconds> seconds) {
    String name = access + " " + Rate.sizeName(transferBytes);
    List<Result> results = new ArrayList<>();
    for (Caching caching : Caching.values()) {
      int mount = List.of(Caching.values()).indexOf(caching);
      int passed = Ways.PASS_THROUGH + mount;
      Samples beside = rates(passed, seconds);
      Result rate =
          Result.of(
                  name + " " + caching.word(),
                  Rate.MIB_PER_SECOND,
                  Better.HIGHER,
                  rates(mount, seconds))
              .against("pass-through", beside);
      boolean aimed =
          caching == Caching.WRITEBACK && transferBytes < LARGE_BYTES && access.equals("write");
      results.add(aimed ? rate.aimingAt(SHORT_WRITEBACK_AIM) : rate);
      if (transferBytes == LARGE_BYTES) results.add(cost(name, caching, mount, passed, seconds));
    }
    results.add(
        Result.of(
                name + " client alone",
                Rate.MIB_PER_SECOND,
                Better.HIGHER,
                rates(Ways.CLIENT, seconds))
            .against("local disk", rates(Ways.DISK, seconds)));
    return results;
  }

  /** Seconds per GiB, next to the sum of the times of its two parts alone. */
  private Result cost(
      String name, Caching caching, int mount, int passed, ToDoubleFunction<Ways.Seconds> seconds) {
    List<Double> sums = new ArrayList<>();
    for (int round = 0; round < measured.get(mount).size(); round++) {
      sums.add(
          perGib(seconds.applyAsDouble(measured.get(passed).get(round)))
              + perGib(seconds.applyAsDouble(measured.get(Ways.CLIENT).get(round))));
    }
    return Result.of(
            "time of " + name + " " + caching.word(),
            "s/GiB",
            Better.LOWER,
            Samples.of(measured.get(mount), each -> perGib(seconds.applyAsDouble(each))))
        .against("pass-through + client", Samples.of(sums, Double::doubleValue))
        .aimingAt(SUM_AIM);
  }

  private double perGib(double seconds) {
    return seconds * GIB / bytes;
  }

  private Samples rates(int way, ToDoubleFunction<Ways.Seconds> seconds) {
    return Samples.of(measured.get(way), each -> bytes / MIB / seconds.applyAsDouble(each));
  }
}
