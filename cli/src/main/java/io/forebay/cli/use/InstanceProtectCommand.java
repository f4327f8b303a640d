// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.ring.protection.ProtectionPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes what the users of an instance may write. */
@Command(
    name = "protect",
    description = "Change what may be written to an instance; its owner and root may.")
public final class InstanceProtectCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(index = "0", paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Parameters(
      index = "1",
      paramLabel = "POLICY",
      description =
          "window=10x/24h or window=2TiB/24h, file-size=1TiB, files=1000000, then log, error or"
              + " both; several with commas between; or none.")
  private String policy = "";

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    ProtectionPolicy wanted = parsed(spec);
    try (Cluster cluster = remote.cluster()) {
      cluster.protectInstance(name, wanted.isNone() ? ProtectionPolicy.NONE_WORD : policy);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        wanted.isNone()
            ? "'%s' has no write protection any more".formatted(name)
            : "'%s' is protected by %s".formatted(name, wanted));
    out.flush();
    return 0;
  }

  private ProtectionPolicy parsed(CommandSpec commands) {
    if (policy.isBlank()) {
      throw new ParameterException(
          commands.commandLine(), "an empty policy; write 'none' for no write protection");
    }
    try {
      return ProtectionPolicy.parse(policy);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commands.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}
