// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.terminal.Running;
import io.forebay.server.ManagerProcess;
import io.forebay.server.machine.FailStop;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a manager until Ctrl-C or a signal. */
@Command(
    name = "manager",
    description = "Run a manager, which keeps the map of a cluster, until Ctrl-C.",
    modelTransformer = SettingOptions.OfManager.class,
    subcommands = ManagerRecoverCommand.class,
    footer = {"", "Every option but --config can stand in the file, as a line 'key = value'."})
public final class ManagerCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--config", paramLabel = "FILE", description = "A configuration file.")
  private @Nullable Path file;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    Settings settings = SettingOptions.read(spec, Keys.MANAGER, file);
    SettingOptions.get(spec, settings, Keys.DIR);
    SettingOptions.setLevel(SettingOptions.get(spec, settings, Keys.LOG_LEVEL));
    FailStop failStop = FailStop.halting();
    Running.run(
        () -> ManagerProcess.start(ManagerProcess.Config.from(settings), failStop),
        started -> failStop.watchThreads());
    return 0;
  }
}
