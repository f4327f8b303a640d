// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.cli.remote.WaitOptions;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Waits until the backing store has files. */
@Command(
    name = "wait-durable",
    description = {
      "Wait until the backing store has files, and directories with all they hold, as they are"
          + " now.",
      "Later writes are not waited for."
    },
    footer = {"", "Exit codes: 0 all of it is durable, 1 it is not, 2 wrong arguments."})
public final class WaitDurableCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private WaitOptions remote = new WaitOptions();

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to wait for.")
  private List<String> paths = List.of();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    Waiting waiting = new Waiting(remote, paths, spec.commandLine().getErr());
    out.println(waiting.run(Forebay::awaitDurable));
    out.flush();
    return 0;
  }
}
