// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.cli.version.BuildInfo;
import java.util.List;

/** The entry point. {@link RootCommand} does the rest. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    if (List.of(arguments).equals(List.of("--version"))) {
      // Scripts ask this often; without loading picocli the answer takes a third of the time.
      System.out.println(BuildInfo.load().toText());
      return;
    }
    System.exit(RootCommand.commandLine().execute(arguments));
  }
}
