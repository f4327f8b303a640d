// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.base.Json;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a token. */
@Command(
    name = "create",
    description = {
      "Print a token that lets a process get a certificate of the cluster's own CA: 'forebay server",
      "--token', 'forebay agent --token', or the variable FOREBAY_TOKEN of a client. For",
      "administrators."
    })
final class TokenCreateCommand implements Callable<Integer> {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(s|m|h|d)");

  /** What users call the roles for which there are tokens. */
  enum TokenRole {
    SERVER(Role.SERVER),
    MANAGER(Role.MANAGER),
    AGENT(Role.AGENT),
    BATCH(Role.BATCH),
    CLIENT(Role.USER);

    private final Role role;

    TokenRole(Role role) {
      this.role = role;
    }
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private AdminOptions admin = new AdminOptions();

  @Option(
      names = "--role",
      required = true,
      paramLabel = "server|manager|agent|batch|client",
      description = {
        "Which kind of process it is for. 'batch' is for the agent that speaks for the batch system,",
        "'forebay agent --slurm'; 'agent' is for those of other nodes."
      })
  private TokenRole role = TokenRole.SERVER;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      defaultValue = "30m",
      description = "How long it can be used, such as 30m, 12h, 7d (default: ${DEFAULT-VALUE}).")
  private String ttl = "30m";

  @Option(
      names = "--uses",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many processes may use it (default: ${DEFAULT-VALUE}).")
  private int uses = 1;

  @Option(
      names = "--user",
      paramLabel = "UID",
      description = "With --role client: the number of the user that the client acts for.")
  private @Nullable Integer user;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The only server or node that may use it (default: any without a certificate).")
  private @Nullable String name;

  @Option(names = "--json", description = "Print token and expiry as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    String only = only();
    Duration lasting = lasting();
    CertificateAdmin.Made made;
    try (CertificateAdmin manager = admin.connect()) {
      made = manager.createToken(role.role, only, lasting, uses);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, @Nullable Object> shown = new LinkedHashMap<>();
      shown.put("token", made.token().text());
      shown.put("role", role.role.word());
      shown.put("name", only.isEmpty() ? null : only);
      shown.put("uses", uses);
      shown.put("expires", made.expiry().toString());
      out.println(Json.write(shown));
    } else {
      out.println(made.token().text());
    }
    out.flush();
    return 0;
  }

  private String only() {
    if ((role == TokenRole.CLIENT) != (user != null)) {
      throw admin.wrong(
          role == TokenRole.CLIENT
              ? "a token for a client is for one user; give --user with the user's number"
              : "--user is for --role client");
    }
    if (user != null) {
      if (name != null) throw admin.wrong("--name is for servers, managers and agents");
      return CertificateName.user(user).name();
    }
    return name == null ? "" : name;
  }

  private Duration lasting() {
    Matcher matcher = TIME.matcher(ttl);
    if (!matcher.matches()) {
      throw admin.wrong("--ttl cannot be '" + ttl + "'; give a time such as 30m, 12h or 7d");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
