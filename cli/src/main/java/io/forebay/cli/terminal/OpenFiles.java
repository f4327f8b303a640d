// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The maximum number of open files of this process; servers and mounts need many. */
public final class OpenFiles {
  /** What the program itself has open, and a client with its connections. */
  static final long RUNNING_MIN = 64;

  /** What a small server has open besides: segments and connections. */
  static final long SERVING_MIN = 256;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern LIMIT = Pattern.compile("Max open files\\s+(\\d+)\\s.*");

  private OpenFiles() {}

  /** Ends the command with a sentence if the limit is too low. */
  public static void requireForRunning() {
    require(RUNNING_MIN);
  }

  /** The same for commands that serve. */
  public static void requireForServing() {
    require(SERVING_MIN);
  }

  private static void require(long needed) {
    long limit = limit(LIMITS);
    if (limit < needed) throw new CommandFailed(sentence(limit, needed));
  }

  static String sentence(long limit, long needed) {
    return "this shell allows %d open files and at least %d are needed; raise it first, such as with 'ulimit -n 4096'"
        .formatted(limit, needed);
  }

  /**
   * The limit of this process, which the JVM has raised as far as allowed; the largest number if
   * unknown.
   */
  static long limit(Path limits) {
    try {
      List<String> lines = Files.readAllLines(limits);
      for (String line : lines) {
        Matcher matcher = LIMIT.matcher(line);
        if (matcher.matches()) return Long.parseLong(matcher.group(1));
      }
      return Long.MAX_VALUE;
    } catch (IOException unknown) {
      return Long.MAX_VALUE;
    }
  }
}
