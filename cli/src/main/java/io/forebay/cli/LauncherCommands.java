// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.cli.terminal.CommandFailed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands of the launcher script, since they build or change this program itself. They are
 * here for the help and for completions.
 */
final class LauncherCommands {
  private LauncherCommands() {}

  abstract static class LauncherCommand implements Runnable {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public final void run() {
      String name = spec == null ? "it" : spec.name();
      throw new CommandFailed(
          "'%s' works on the sources; run './forebay %s' in a source checkout"
              .formatted(name, name));
    }
  }

  @Command(
      name = "test",
      description =
          "Run the whole test suite, or the tests of one module and of the modules it uses.")
  static final class TestCommand extends LauncherCommand {
    @Parameters(paramLabel = "MODULE", arity = "0..1", description = "Such as 'base'.")
    @SuppressWarnings("UnusedVariable") // The launcher reads it.
    private @Nullable String module;
  }

  @Command(name = "format", description = "Format all Java sources.")
  static final class FormatCommand extends LauncherCommand {}

  @Command(name = "build", description = "Build now, even if nothing changed.")
  static final class BuildCommand extends LauncherCommand {}

  @Command(name = "clean", description = "Delete everything that was built.")
  static final class CleanCommand extends LauncherCommand {}
}
