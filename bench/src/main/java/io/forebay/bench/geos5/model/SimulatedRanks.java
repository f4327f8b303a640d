// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.VirtualTime.Processor;
import io.forebay.netcdf.bundle.BundleGround;
import io.forebay.parallel.RankFailedException;
import io.forebay.parallel.RankProgram;
import java.io.IOException;

/**
 * Runs a program's ranks on a simulated cluster, one of them at a time, on a virtual clock that
 * begins at 0. One program for each instance.
 */
public final class SimulatedRanks {
  /** More than this are a mistake. */
  public static final int SIZE_MAX = 4096;

  private final SimulatedJob job;

  public SimulatedRanks(SimulatedMachine machine, int size) {
    if (size <= 0 || size > SIZE_MAX) throw new IllegalArgumentException(size + " ranks");
    job = new SimulatedJob(machine, size);
  }

  /** Files, memory and clock for bundles. */
  public BundleGround ground() {
    return new BundleGround(
        bundle -> new SimulatedFiles(job.time(), job.store()), new SimulatedMemory(), job.time());
  }

  /** Elements of one rank, which take time and have no values. */
  SimulatedElements elements() {
    return new SimulatedElements(job.time(), job.machine());
  }

  SimulatedStore store() {
    return job.store();
  }

  VirtualTime time() {
    return job.time();
  }

  SimulatedMachine machine() {
    return job.machine();
  }

  /**
   * Runs all ranks until they have ended.
   *
   * @return when the last one ended
   * @throws IOException the exception of the first rank that failed; unchecked exceptions likewise
   * @throws IllegalStateException if all ranks wait for one another
   */
  public long run(RankProgram program) throws IOException {
    int[] world = new int[job.size()];
    for (int rank = 0; rank < world.length; rank++) world[rank] = rank;
    SimulatedTeam team = new SimulatedTeam(job, world);
    for (int rank = 0; rank < world.length; rank++) {
      int number = rank;
      Processor processor = job.rank(rank).processor;
      job.time()
          .start(
              "rank " + rank,
              job.network().node(rank),
              processor,
              () -> runRank(number, new SimulatedGroup(team, number), program));
    }
    job.time().run();
    job.throwFailure();
    return job.time().now();
  }

  private void runRank(int number, SimulatedGroup world, RankProgram program) {
    try {
      program.run(world);
    } catch (RankFailedException e) {
      // Another rank's failure, which is noted already.
      job.fail(number, e);
    } catch (IOException | RuntimeException | Error e) {
      job.fail(number, e);
    }
    job.time().sleepUntil(job.time().nanos());
  }
}
