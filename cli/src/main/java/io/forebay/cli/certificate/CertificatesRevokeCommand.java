// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.base.Json;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.authority.CertificateName;
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
      "showed it end within 10 seconds. The manager replaces its own and the administrator's at once.",
      "With the CA of a manager all are revoked that it has signed."
    })
final class CertificatesRevokeCommand implements Callable<Integer> {
  private static final int SHOWN_MAX = 5;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Parameters(
      paramLabel = "SERIAL|NAME",
      description = "The serial number of one, or the name of a server, manager, node or user.")
  private String which = "";

  @Option(
      names = "--role",
      paramLabel = "server|agent|batch|user|admin|manager",
      description = "Which role is meant, if processes of several have that name.")
  private @Nullable Role role;

  @Option(
      names = "--with-issued",
      description =
          "Revoke the CA of a manager although processes use certificates that it signed.")
  private boolean withIssued;

  @Option(names = "--json", description = "Print how many as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    List<Enrolment.Certificate> meant;
    int count;
    try (CertificateAdmin manager = admin.connect()) {
      List<Enrolment.Certificate> all = manager.certificates();
      meant = meant(all);
      if (!withIssued) requireUnused(all);
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
        boolean authority = meant.stream().anyMatch(Enrolment.Certificate::authority);
        String hint = hint(each, authority);
        boolean any = meant.stream().anyMatch(certificate -> certificate.role() == each);
        if (any && !hint.isEmpty()) out.println(hint);
      }
    }
    out.flush();
    return 0;
  }

  /** To revoke a CA cuts processes off whose certificates it has signed. */
  private void requireUnused(List<Enrolment.Certificate> all) {
    List<String> others =
        IssuedCertificates.below(meant(all), all).stream()
            .filter(each -> each.authority() || !isReplaced(each.role()))
            .map(each -> new CertificateName(each.role(), each.name()).toString())
            .distinct()
            .toList();
    if (others.isEmpty()) return;
    String shown = others.stream().limit(SHOWN_MAX).collect(Collectors.joining(", "));
    throw new CommandFailed(
        "the CA that this revokes has signed certificates that %d others use: %s%s; they are revoked with it, and need other tokens then; give --with-issued to do that"
            .formatted(others.size(), shown, others.size() > SHOWN_MAX ? " and others" : ""));
  }

  /** Whether its manager makes another one by itself. */
  private static boolean isReplaced(Role role) {
    return role == Role.MANAGER || role == Role.ADMIN;
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
  private static String hint(Role revoked, boolean authority) {
    return switch (revoked) {
      case ADMIN ->
          "The manager makes another one in 'certificates/admin' of its directory: replace your copies.";
      case MANAGER ->
          authority
              ? "Stop that manager. It can join again with another token ('forebay token create --role manager')."
              : "The manager makes another one and uses it. The key of a CA was on the same machine: if it"
                  + " may be known too, revoke that CA; if it is the root, make a new CA (docs/security.md,"
                  + " 'A new CA').";
      case SERVER, AGENT, BATCH, USER -> "";
    };
  }
}
