// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.base.Json;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Enrolment;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
      "Revoke a certificate, or all of a name: no process accepts it any more, and connections that",
      "showed it end within 10 seconds. The manager replaces its own and the administrator's at once."
    })
final class CertificatesRevokeCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Parameters(
      paramLabel = "SERIAL|NAME",
      description = "The serial number of one, or the name of a server, node or user.")
  private String which = "";

  @Option(
      names = "--role",
      paramLabel = "server|agent|user|admin|manager",
      description = "Which role is meant, if processes of several have that name.")
  private @Nullable Role role;

  @Option(names = "--json", description = "Print how many as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    List<Enrolment.Certificate> meant;
    int count;
    try (CertificateAdmin manager = admin.connect()) {
      meant = meant(manager.certificates());
      boolean one = meant.size() == 1 && isSerial(meant.get(0));
      if (one) count = manager.revoke(meant.get(0).serial());
      else count = role == null ? manager.revoke(which) : manager.revoke(which, role);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(Map.of("revoked", count)));
    } else {
      out.println(count == 1 ? "1 certificate is revoked" : count + " certificates are revoked");
      for (Role each : Role.values()) {
        String hint = hint(each);
        boolean any = meant.stream().anyMatch(certificate -> certificate.role() == each);
        if (any && !hint.isEmpty()) out.println(hint);
      }
    }
    out.flush();
    return 0;
  }

  /** The valid certificates that the argument names. */
  private List<Enrolment.Certificate> meant(List<Enrolment.Certificate> all) {
    List<Enrolment.Certificate> valid =
        all.stream()
            .filter(each -> !each.revoked() && (role == null || each.role() == role))
            .toList();
    List<Enrolment.Certificate> numbered = valid.stream().filter(this::isSerial).toList();
    if (!numbered.isEmpty()) return numbered;
    List<Enrolment.Certificate> named =
        valid.stream().filter(each -> each.name().equals(which)).toList();
    List<String> roles = named.stream().map(each -> each.role().word()).distinct().toList();
    if (roles.size() < 2) return named;
    throw new CommandFailed(
        roles.stream()
            .map(each -> "--role " + each)
            .collect(
                Collectors.joining(
                    " or ", "'" + which + "' is the name of several processes; give ", "")));
  }

  private boolean isSerial(Enrolment.Certificate certificate) {
    return Long.toHexString(certificate.serial()).equals(which);
  }

  /** What an administrator has to do besides; empty if nothing. */
  private static String hint(Role revoked) {
    return switch (revoked) {
      case ADMIN ->
          "The manager makes another one in 'certificates/admin' of its directory: replace your copies.";
      case MANAGER ->
          "The manager makes another one and uses it. The key of the CA was on the same machine: if it"
              + " may be known too, make a new CA (docs/security.md, 'A new CA').";
      case SERVER, AGENT, USER -> "";
    };
  }
}
