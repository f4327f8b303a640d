// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.process.ChildDesk;
import io.forebay.parallel.Group;
import io.forebay.parallel.MpiRanks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The other side of {@link MpiProcesses}: the first rank gets the trials, and forwards them to the
 * others.
 */
public final class RankDesk {
  /** One rank's part of trials. */
  @FunctionalInterface
  public interface Job {
    /** Runs a trial; collective. Every rank returns its result, and that of the first is told. */
    String run(Group group, String trial) throws IOException;
  }

  private RankDesk() {}

  /**
   * Runs trials until the parent wants no more; for main methods.
   *
   * @param arguments those of the main method
   */
  public static void serve(String[] arguments, Job job) {
    MpiRanks.run(Integer.parseInt(arguments[0]), group -> serve(group, job));
  }

  private static void serve(Group group, Job job) throws IOException {
    ChildDesk desk = new ChildDesk();
    if (group.rank() == 0) desk.ready("mpi");
    while (true) {
      String line = told(group, desk);
      if (line.isEmpty()) return;
      String result = job.run(group, line);
      if (group.rank() == 0) desk.say(result);
    }
  }

  /** What the parent says, on every rank; nothing when it wants no more. */
  private static String told(Group group, ChildDesk desk) throws IOException {
    @Nullable String line = group.rank() == 0 ? desk.next() : null;
    byte[] bytes = line == null ? new byte[0] : line.getBytes(StandardCharsets.UTF_8);
    return new String(group.broadcast(bytes, 0), StandardCharsets.UTF_8);
  }
}
