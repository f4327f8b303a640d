// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.drain.plan.DrainPlan;
import io.forebay.drain.reorder.Reordering;
import io.forebay.drain.reorder.Requests;
import java.io.IOException;
import java.util.List;

/** The sizes of the backing store's writes for the patterns of parallel programs. */
final class PlannedWrites {
  static final double MIB = 1 << 20;
  static final double MIB_AIM = 4;

  private static final long STRIDED_BYTES = 1L << 30;

  private PlannedWrites() {}

  static List<Result> measure(Progress progress) throws IOException {
    progress.measuring("sizes of planned writes");
    return List.of(
        result(WritePattern.STRIDED, STRIDED_BYTES),
        result(WritePattern.BTIO, WritePattern.STEP_BYTES));
  }

  private static Result result(WritePattern pattern, long bytes) throws IOException {
    DrainPlan plan = PlanningCosts.plan(Reordering.reorder(requests(pattern, bytes)).pieces());
    double mean = plan.writtenBytes() / MIB / plan.writeCount();
    return Result.of("planned write of " + pattern.text(), "MiB", Better.HIGHER, Samples.of(mean))
        .aimingAt(MIB_AIM);
  }

  private static Requests requests(WritePattern pattern, long bytes) throws IOException {
    Requests requests = new Requests(0);
    int[] last = {-1};
    long[] sourceOffset = {0};
    pattern.visit(
        bytes,
        (rank, offset, lengthBytes) -> {
          if (rank != last[0]) {
            requests.begin(1, rank);
            last[0] = rank;
            sourceOffset[0] = 0;
          }
          requests.add(offset, lengthBytes, rank, sourceOffset[0]);
          sourceOffset[0] += lengthBytes;
        });
    return requests;
  }
}
