// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.parallel.MpiRanks;
import java.nio.file.Path;
import java.util.List;

/** One rank of random programs under {@code mpirun}; see {@link MpiProgramTest}. */
final class MpiProgramMain {
  static final int STEPS = 7;
  static final int RANKS_PER_NODE = 2;

  /** What programs are run with; the first one is without a log. */
  static final List<String> MODES =
      List.of(
          "cb_nodes=2",
          "burst_buffer=enable",
          "burst_buffer=enable;burst_buffer_shared_logs=enable;burst_buffer_flush_size=100",
          "burst_buffer=enable;burst_buffer_background_flush=enable;burst_buffer_log_max=100",
          "burst_buffer=enable;burst_buffer_log_max=150;burst_buffer_dir=");

  private MpiProgramMain() {}

  /** Arguments: the folder of the files, the address of an instance, the seed. */
  public static void main(String[] arguments) {
    long seed = Long.parseLong(arguments[2]);
    MpiRanks.run(
        RANKS_PER_NODE,
        group -> {
          for (int mode = 0; mode < MODES.size(); mode++) {
            String text = MODES.get(mode);
            boolean onInstance = text.endsWith("burst_buffer_dir=");
            Hints hints = Hints.parse(onInstance ? text + arguments[1] + "/logs" : text);
            String name = file(arguments[0], mode);
            RandomProgram.run(group, name, hints, seed, STEPS, mode > 0);
          }
          // The file itself on an instance, each rank a client of its own.
          String name = arguments[1] + "/direct.nc";
          RandomProgram.run(group, name, Hints.none(), seed, STEPS, false);
        });
  }

  static String file(String folder, int mode) {
    return Path.of(folder, mode + ".nc").toString();
  }
}
