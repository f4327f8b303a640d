// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import io.forebay.base.ByteSize;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.directory.inspect.LogInspection;
import io.forebay.store.directory.inspect.LogReading;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Reads a log for a command: with progress, and one sentence on failure. */
final class LogSource {
  private LogSource() {}

  static LogInspection read(Path directory, String label, PrintWriter err) throws IOException {
    try (Progress progress = Progress.of(label, err)) {
      return LogReading.inspect(
          directory,
          (bytes, total) ->
              progress.update(
                  bytes, total, ByteSize.format(bytes) + " of " + ByteSize.format(total)));
    } catch (LogUnavailable unavailable) {
      throw new CommandFailed(unavailable.sentence(), unavailable);
    }
  }
}
