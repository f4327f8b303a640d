// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.base.Json;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.message.Enrolment;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Revokes certificates. */
@Command(
    name = "revoke",
    description = {
      "Revoke a certificate, or all of a name: manager and servers accept it no more, and close its",
      "connections within 10 seconds."
    })
final class CertificatesRevokeCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Parameters(
      paramLabel = "SERIAL|NAME",
      description = "The serial number of one, or the name of a server, node or user.")
  private String which = "";

  @Option(names = "--json", description = "Print how many as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    int count = 0;
    try (CertificateAdmin manager = admin.connect()) {
      for (Enrolment.Certificate each : manager.certificates()) {
        boolean meant = Long.toHexString(each.serial()).equals(which);
        if (meant && !each.revoked()) count = manager.revoke(each.serial());
      }
      if (count == 0) count = manager.revoke(which);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.write(Map.of("revoked", count)));
    else out.println(count == 1 ? "1 certificate is revoked" : count + " certificates are revoked");
    out.flush();
    return 0;
  }
}
