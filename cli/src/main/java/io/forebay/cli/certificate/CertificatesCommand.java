// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.base.Json;
import io.forebay.cli.terminal.Table;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.message.Enrolment;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the certificates that the cluster's own CA has issued. */
@Command(
    name = "certificates",
    description = {
      "Show the certificates that the cluster's own CA has issued and that have not expired. For",
      "administrators."
    },
    subcommands = {CertificatesListCommand.class, CertificatesRevokeCommand.class})
public final class CertificatesCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    print(admin, json, spec.commandLine().getOut());
    return 0;
  }

  static void print(AdminOptions admin, boolean json, PrintWriter out) throws IOException {
    List<Enrolment.Certificate> all;
    try (CertificateAdmin manager = admin.connect()) {
      all = manager.certificates();
    }
    if (json) {
      out.println(Json.write(all.stream().map(CertificatesCommand::json).toList()));
    } else if (all.isEmpty()) {
      out.println("no certificate was issued; 'forebay token create' lets processes get one");
    } else {
      Table table = new Table(3, "serial", "role", "name", "issued", "expires", "revoked");
      for (Enrolment.Certificate each : all) {
        table.row(
            Long.toHexString(each.serial()),
            each.authority() ? each.role().word() + " CA" : each.role().word(),
            each.name(),
            time(each.issuedSeconds()),
            time(each.expirySeconds()),
            each.revoked() ? "yes" : "-");
      }
      table.print(out);
    }
    out.flush();
  }

  private static String time(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }

  private static Map<String, @Nullable Object> json(Enrolment.Certificate each) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("serial", Long.toHexString(each.serial()));
    shown.put("role", each.role().word());
    shown.put("name", each.name());
    shown.put("issued", time(each.issuedSeconds()));
    shown.put("expires", time(each.expirySeconds()));
    shown.put("revoked", each.revoked());
    shown.put("ca", each.authority());
    shown.put("issuer", Long.toHexString(each.issuer()));
    return shown;
  }
}
