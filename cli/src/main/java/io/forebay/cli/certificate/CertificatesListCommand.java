// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The same as without a subcommand. */
@Command(name = "list", description = "Show them, as 'forebay certificates' alone does.")
final class CertificatesListCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    CertificatesCommand.print(admin, json, spec.commandLine().getOut());
    return 0;
  }
}
