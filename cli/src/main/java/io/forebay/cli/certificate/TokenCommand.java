// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tokens by which processes get certificates. */
@Command(
    name = "token",
    description = "Make tokens, by which servers, agents and clients get certificates.",
    subcommands = TokenCreateCommand.class)
public final class TokenCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(spec.commandLine(), "say what to do: forebay token create");
  }
}
