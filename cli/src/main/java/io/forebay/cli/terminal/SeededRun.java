// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a command that does random things for some time. */
public final class SeededRun {
  private static final double MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "1",
      description = "How many minutes, such as 0.5 (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Repeat what a run with this seed did (default: another seed each time).")
  private @Nullable Long seed;

  /** Refuses a time that is not positive. */
  public void requireSense(CommandLine commandLine) {
    if (!(minutes > 0)) {
      throw new ParameterException(commandLine, "--minutes must be more than 0");
    }
  }

  public long nanos() {
    return (long) (minutes * MINUTE_NANOS);
  }

  /** The seed that was given, or a new one at each call. */
  public long chooseSeed() {
    return seed != null ? seed : new SplittableRandom().nextLong();
  }
}
