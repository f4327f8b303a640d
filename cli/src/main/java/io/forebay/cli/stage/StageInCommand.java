// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.client.stage.StageRequest;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stages into an instance. */
@Command(
    name = "in",
    description = {
      "Copy a file, or a directory with all it holds, from the servers' file system into the",
      "instance. Files that are there already, of the same size and time, are not copied again."
    })
final class StageInCommand implements Callable<Integer> {
  @Mixin private StartOptions start = new StartOptions();

  @Override
  public Integer call() throws IOException {
    start.run(StageRequest.Direction.IN, false);
    return 0;
  }
}
