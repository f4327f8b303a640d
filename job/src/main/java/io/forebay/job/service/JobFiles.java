// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.job.directive.BadDirective;
import io.forebay.job.directive.DirectiveReader;
import io.forebay.job.directive.Directives;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files that a batch system hands over: job scripts and lists of nodes. */
final class JobFiles {
  /** Slurm takes no larger scripts unless it is configured to. */
  private static final int SCRIPT_BYTES_MAX = 4 << 20;

  private static final int NODES_BYTES_MAX = 4 << 20;

  private JobFiles() {}

  /** What a script asks for. */
  static Directives directives(String script) throws JobFailed {
    try {
      return DirectiveReader.read(text(script, SCRIPT_BYTES_MAX));
    } catch (BadDirective e) {
      throw new JobFailed(e.sentence(), e);
    }
  }

  /** The names in a file with one in each line. */
  static List<String> nodes(String file) throws JobFailed {
    return text(file, NODES_BYTES_MAX)
        .lines()
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  private static String text(String file, int bytesMax) throws JobFailed {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(bytesMax + 1);
      if (bytes.length > bytesMax) {
        throw new JobFailed("'%s' has more than %d bytes; shorten it".formatted(file, bytesMax));
      }
      // Only directives are read, and a script may have any bytes behind them.
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new JobFailed(
          "the agent cannot read '%s' (%s); run it as the user of the batch system or as root"
              .formatted(file, FileReason.of(e)),
          e);
    }
  }
}
