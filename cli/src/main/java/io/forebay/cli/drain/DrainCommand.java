// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.base.ByteSize;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.remote.WaitOptions;
import io.forebay.client.Forebay;
import io.forebay.client.durability.DrainStarted;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Requests drains of files. */
@Command(
    name = "drain",
    description = {
      "Drain files, and directories with all their files, in their current version,",
      "regardless of the policy of their instance. Waits only with --wait."
    })
public final class DrainCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private WaitOptions remote = new WaitOptions();

  @Option(names = "--wait", description = "Wait until they are there, as 'wait-durable' does.")
  private boolean wait;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to drain.")
  private List<String> paths = List.of();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    if (wait) {
      Waiting waiting = new Waiting(remote, paths, spec.commandLine().getErr());
      out.println(waiting.run(Forebay::drainAndAwait));
      return 0;
    }
    long files = 0;
    long bytes = 0;
    for (Map.Entry<String, List<RemotePath>> each : remote.byInstance(paths).entrySet()) {
      try (Forebay forebay = remote.connect(each.getValue().getFirst())) {
        for (RemotePath path : each.getValue()) {
          DrainStarted started = forebay.drain(path.path());
          files += started.files();
          bytes += started.bytes();
        }
      }
    }
    out.println(sentence(files, bytes));
    out.flush();
    return 0;
  }

  static String sentence(long files, long bytes) {
    if (files == 0) return "all of it is durable already";
    return "%s, %s; 'forebay ledger --watch' shows the progress"
        .formatted(
            files == 1 ? "1 file is being drained" : files + " files are being drained",
            ByteSize.format(bytes));
  }
}
