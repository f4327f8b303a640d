// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.process.ChildDesk;
import io.forebay.parallel.Group;
import io.forebay.parallel.MpiRanks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The other side of {@link MpiCrew}: the first rank gets the commands, and forwards them to the
 * others.
 */
final class MpiRankChild {
  private MpiRankChild() {}

  public static void main(String[] arguments) {
    MpiRanks.run(Integer.parseInt(arguments[0]), MpiRankChild::serve);
  }

  private static void serve(Group group) throws IOException {
    ChildDesk desk = new ChildDesk();
    if (group.rank() == 0) desk.ready("mpi");
    while (true) {
      String line = told(group, desk);
      if (line.isEmpty()) return;
      Measured measured = RankRun.run(group, Trial.parse(line));
      if (group.rank() == 0) desk.say(measured.toLine());
    }
  }

  /** What the parent says, on every rank; nothing when it wants no more. */
  private static String told(Group group, ChildDesk desk) throws IOException {
    @Nullable String line = group.rank() == 0 ? desk.next() : null;
    byte[] bytes = line == null ? new byte[0] : line.getBytes(StandardCharsets.UTF_8);
    return new String(group.broadcast(bytes, 0), StandardCharsets.UTF_8);
  }
}
