// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.audit;

import io.forebay.server.audit.AuditLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows what users and operators did, from the audit logs of servers and managers. */
@Command(
    name = "audit",
    description = {
      "Show what users and operators did, and what was refused, from the audit logs of servers and",
      "managers of this machine."
    },
    footer = {"", "Run it as root, or as the user that runs the servers: the logs are theirs."})
public final class AuditCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 300;
  private static final int LAST_DEFAULT = 40;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private AuditFilter filter = new AuditFilter();

  @Option(
      names = "--dir",
      paramLabel = "DIR|FILE",
      defaultValue = "/var/lib/forebay",
      description = {
        "The directory of a server or manager, a directory with several of them, or a file of an",
        "audit log (default: ${DEFAULT-VALUE})."
      })
  private Path directory = Path.of("/var/lib/forebay");

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "Show the last N lines that match (default: " + LAST_DEFAULT + "; 0 for all).")
  private int last = LAST_DEFAULT;

  @Option(names = "--follow", description = "Show new lines as they come, until Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--json",
      description = "Print whole lines of JSON as they are in the logs, all that match.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (last < 0) throw new ParameterException(spec.commandLine(), "--last must be 0 or more");
    filter.resolve(Instant.now());
    PrintWriter out = spec.commandLine().getOut();
    try (AuditLines lines = AuditLines.open(directory)) {
      AuditTable table = new AuditTable(out);
      showPresent(lines, table, out);
      out.flush();
      if (follow) follow(lines, table, out);
      for (String complaint : lines.complaints()) {
        spec.commandLine().getErr().println("forebay: " + complaint + ".");
      }
    }
    return 0;
  }

  private void showPresent(AuditLines lines, AuditTable table, PrintWriter out) throws IOException {
    Deque<AuditLine> kept = new ArrayDeque<>();
    long leftOut = 0;
    AuditLine line;
    while ((line = lines.next()) != null) {
      if (!filter.takes(line)) continue;
      if (json) {
        out.println(line.json());
        continue;
      }
      kept.add(line);
      if (last == 0 || kept.size() <= last) continue;
      kept.removeFirst();
      leftOut++;
    }
    if (!follow) {
      for (AuditLine torn : lines.rest()) {
        if (!filter.takes(torn)) continue;
        if (json) out.println(torn.json());
        else kept.add(torn);
      }
    }
    if (json) return;
    if (leftOut > 0) {
      out.printf("… and %d earlier (use --last, --since or --json)%n", leftOut);
    }
    if (kept.isEmpty() && !follow) {
      out.println("no line of the audit log matches");
      return;
    }
    table.printHead();
    kept.forEach(table::print);
  }

  private void follow(AuditLines lines, AuditTable table, PrintWriter out) throws IOException {
    try {
      while (true) {
        AuditLine line = lines.next();
        if (line == null) {
          out.flush();
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } else if (filter.takes(line)) {
          if (json) out.println(line.json());
          else table.print(line);
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
