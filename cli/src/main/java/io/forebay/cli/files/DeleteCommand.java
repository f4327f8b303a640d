// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes keys with their values. */
@Command(name = "del", description = "Remove keys with their values.")
public final class DeleteCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "KEY", arity = "1..*", description = "Which keys.")
  private List<String> keys = List.of();

  @Override
  public Integer call() throws IOException {
    keys.forEach(remote::key);
    try (Forebay forebay = remote.instance()) {
      for (String key : keys) {
        if (!forebay.pairs().delete(key)) {
          throw new CommandFailed(
              "there is no value under '" + key + "'; 'forebay pairs' lists the keys");
        }
      }
    }
    return 0;
  }
}
