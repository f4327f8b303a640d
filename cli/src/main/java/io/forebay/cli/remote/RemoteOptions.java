// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.remote;

import java.time.Duration;
import picocli.CommandLine.Option;

/** For commands that send a request and get an answer. */
public final class RemoteOptions extends ClusterOptions {
  private static final int TIMEOUT_SECONDS_MAX = 24 * 60 * 60;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Fail after this long without progress (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  Duration timeout() {
    if (timeoutSeconds < 1 || timeoutSeconds > TIMEOUT_SECONDS_MAX) {
      throw wrong("--timeout must be from 1 to " + TIMEOUT_SECONDS_MAX + " seconds");
    }
    return Duration.ofSeconds(timeoutSeconds);
  }
}
