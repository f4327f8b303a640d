// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.format.NetcdfException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The directory of a file's logs. */
final class LogDirectory {
  private LogDirectory() {}

  /** The named one, else that of the environment's settings, else the file's own. */
  static Path of(Path file, @Nullable String named) {
    if (named == null) {
      try {
        return Hints.ofEnvironment().logDirectory(file);
      } catch (NetcdfException e) {
        throw new CommandFailed(e.getMessage() + "; correct it or use --log-dir", e);
      }
    }
    Path directory = NetcdfSource.path(named);
    if (!Files.isDirectory(directory)) {
      throw new CommandFailed("'" + named + "' is not a directory; name the one with the logs");
    }
    return directory;
  }
}
