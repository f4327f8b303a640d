// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Looks at the backing store again. */
@Command(
    name = "refresh",
    description = {
      "Look at the backing store again, where other programs have changed files: at directories",
      "with all below them, or at files. Data written here that is not drained yet stays."
    })
public final class RefreshCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to look at.")
  private List<String> paths = List.of();

  @Override
  public Integer call() throws IOException {
    for (String path : paths) {
      RemotePath target = remote.path(path);
      try (Forebay forebay = remote.connect(target)) {
        forebay.refresh(target.path());
      }
    }
    return 0;
  }
}
