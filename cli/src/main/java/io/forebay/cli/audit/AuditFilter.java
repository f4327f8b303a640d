// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.audit;

import io.forebay.cli.terminal.TimeText;
import io.forebay.server.audit.AuditLine;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which lines are shown. A line must match all options that are given. */
final class AuditFilter {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--user",
      paramLabel = "UID",
      description = "Lines of this user only: of requests that name it, or that it has proved.")
  private @Nullable String user;

  @Option(
      names = "--instance",
      paramLabel = "NAME",
      description = "Lines about this instance only.")
  private @Nullable String instance;

  @Option(
      names = "--action",
      paramLabel = "NAME",
      description = "Lines with this action only, such as DestroyInstance.")
  private @Nullable String action;

  @Option(names = "--refused", description = "Refused requests only.")
  private boolean refused;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {
        "Lines since then only: such as 30m or 2d ago, 2030-01-31, or 2030-01-31T12:00:00Z."
      })
  private @Nullable String since;

  private @Nullable Long uid;
  private Instant from = Instant.MIN;

  /** Reads the options; a sentence tells what is wrong with one. */
  void resolve(Instant now) {
    try {
      if (since != null) from = TimeText.earlier("--since", since, now);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (user == null) return;
    try {
      uid = Integer.toUnsignedLong(Integer.parseUnsignedInt(user));
    } catch (NumberFormatException e) {
      throw wrong("--user is the number of a user, not '%s'; see 'id -u %s'".formatted(user, user));
    }
  }

  private ParameterException wrong(String sentence) {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return new ParameterException(spec.commandLine(), sentence);
  }

  boolean takes(AuditLine line) {
    return !line.time().isBefore(from)
        && (uid == null || isOf(line, uid))
        && (instance == null || instance.equals(line.instance()))
        && (action == null || action.equalsIgnoreCase(line.action()))
        && (!refused || line.refusal() != null);
  }

  private static boolean isOf(AuditLine line, long uid) {
    if (line.user() != null && line.user() == uid) return true;
    String principal = line.principal();
    return principal.equals("user " + uid + " of this machine")
        || principal.equals("certificate of user '" + uid + "'");
  }
}
