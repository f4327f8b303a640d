package io.forebay.bench.drain;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.drain.plan.DrainPlan;
import io.forebay.drain.reorder.Reordering;
import io.forebay.drain.reorder.Requests;
import java.util.List;

/** How large the writes are that become of what parallel programs write. */
final class PlannedWrites {
  private static final double MIB = 1 << 20;
  private static final double MIB_AIM = 4;

  private PlannedWrites() {}

  static List<Result> measure(Progress progress) {
    progress.measuring("sizes of planned writes");
    return List.of(result("strided 16KiB", strided()), result("BTIO", diagonalBlocks()));
  }

  private static Result result(String pattern, Requests requests) {
    DrainPlan plan = PlanningCosts.plan(Reordering.reorder(requests).pieces());
    double mean = plan.writtenBytes() / MIB / plan.writeCount();
    return Result.of("mean write of " + pattern, "MiB", Better.HIGHER, Samples.of(mean))
        .aimingAt(MIB_AIM);
  }

  /** Ranks that take turns. */
  private static Requests strided() {
    int ranks = 16;
    int transferBytes = 16 << 10;
    int transfers = 4096;
    Requests requests = new Requests(ranks * transfers);
    for (int rank = 0; rank < ranks; rank++) {
      requests.begin(1, rank);
      for (int i = 0; i < transfers; i++) {
        long offset = ((long) i * ranks + rank) * transferBytes;
        requests.add(offset, transferBytes, rank, (long) i * transferBytes);
      }
    }
    return requests;
  }

  /**
   * The array of one step of NAS BT, class B: each rank has blocks on a diagonal of the cube, and
   * writes them row by row.
   */
  private static Requests diagonalBlocks() {
    int side = 102;
    int blocks = 3;
    int cellBytes = 5 * Double.BYTES;
    int rows = side / blocks;
    int rowBytes = rows * cellBytes;
    Requests requests = new Requests(side * side * blocks);
    for (int rank = 0; rank < blocks * blocks; rank++) {
      requests.begin(1, rank);
      long sourceOffset = 0;
      for (int z = 0; z < side; z++) {
        int blockX = (rank + z / rows) % blocks;
        int blockY = (rank / blocks + z / rows) % blocks;
        for (int y = blockY * rows; y < (blockY + 1) * rows; y++) {
          long row = (long) z * side + y;
          requests.add((row * blocks + blockX) * rowBytes, rowBytes, rank, sourceOffset);
          sourceOffset += rowBytes;
        }
      }
    }
    return requests;
  }
}
