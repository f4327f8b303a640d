// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Runs this process as a rank of the MPI program that it was started in by {@code mpirun}, of Open
 * MPI or of MPICH. Once per process, by the thread that then calls the group.
 */
public final class MpiRanks {
  private static final int FAILURE_CODE = 1;

  private MpiRanks() {}

  /** Whether a launcher of MPI has started this process. */
  public static boolean isLaunched() {
    return MpiLibrary.launchedBy(System.getenv()).isPresent();
  }

  /** Runs the program; ranks that share memory share a node. */
  public static void run(RankProgram program) {
    run(0, program);
  }

  /**
   * Runs the program. If it throws, the reason goes to this thread's handler of uncaught
   * exceptions, and the whole job ends, since the other ranks would wait for this one.
   *
   * @param ranksPerNode how many consecutive ranks are treated as one node; 0 for the real nodes
   */
  public static void run(int ranksPerNode, RankProgram program) {
    MpiLibrary.Kind kind =
        MpiLibrary.launchedBy(System.getenv())
            .orElseThrow(() -> new IllegalStateException("not started by mpirun"));
    MpiLibrary mpi = MpiLibrary.load(kind);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment provided = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment none = MemorySegment.NULL;
      MemorySegment level = MpiLibrary.number(MpiLibrary.THREAD_MULTIPLE);
      mpi.call("MPI_Init_thread", none, none, level, provided);
    }
    try {
      program.run(MpiGroup.world(mpi, ranksPerNode));
    } catch (IOException | RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      mpi.call("MPI_Abort", mpi.world(), MpiLibrary.number(FAILURE_CODE));
      return;
    }
    mpi.call("MPI_Finalize");
  }
}
