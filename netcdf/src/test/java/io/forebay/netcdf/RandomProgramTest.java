// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RandomProgramTest {
  private static final int PROGRAMS = 18;
  private static final int STEPS = 40;

  @TempDir Path folder;

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    Long only = Long.getLong("forebay.seed");
    for (int i = 0; i < (only == null ? PROGRAMS : 1); i++) {
      long seed = only == null ? i : only;
      int ranks = 1 + (int) (seed % 9);
      // Windows and stripes so small that one request takes several rounds.
      Hints hints =
          Hints.parse(
              "cb_nodes="
                  + (1 + seed % 4)
                  + ";cb_buffer_size=4096;striping_unit="
                  + (64 + seed % 100));
      try {
        String name = folder.resolve(seed + ".nc").toString();
        ThreadRanks.run(ranks, 3, group -> RandomProgram.run(group, name, hints, seed, STEPS));
      } catch (RuntimeException | IOException | AssertionError e) {
        throw new AssertionError("program fails with -Dforebay.seed=" + seed, e);
      }
    }
  }
}
