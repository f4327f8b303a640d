// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.client.ForebayOptions;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.StartFailed;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.recovery.ManagerRecovery;
import io.forebay.server.recovery.RecoveryView;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Brings back a manager whose log was damaged or lost. */
@Command(
    name = "recover",
    description = {
      "Bring back a manager whose log was damaged or lost, from the maps that servers remember.",
      "Without --write it only shows what it found, and changes nothing."
    },
    footer = {
      "",
      "End the manager first. Start all servers, or name the directories of those that cannot run:"
          + " one that is missing may hold writes that no other server has.",
      "Exit codes: 0 the manager can be started, or could be with --write, 1 servers are missing,"
          + " or it failed."
    })
final class ManagerRecoverCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "The manager's directory; made if it is gone.")
  private Path directory = Path.of("");

  @Option(
      names = "--server",
      paramLabel = "HOST:PORT",
      split = ",",
      description = {
        "Where a running server listens. One is enough: its map names the others, as long as they",
        "are where they were."
      })
  private List<String> servers = new ArrayList<>();

  @Option(
      names = "--server-dir",
      paramLabel = "DIR",
      description = "The directory of a stopped server on this machine.")
  private List<Path> serverDirectories = new ArrayList<>();

  @Option(
      names = "--without",
      paramLabel = "SERVER",
      split = ",",
      description = {
        "Go on without this server, which must be off: what only it holds is lost, also when it",
        "comes back."
      })
  private List<String> without = new ArrayList<>();

  @Option(
      names = "--insecure",
      description = "Believe servers of other machines that show no certificates.")
  private boolean insecure;

  @Option(names = "--write", description = "Begin a new log; the former one is kept beside it.")
  private boolean write;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    List<Address> addresses = addresses(spec);
    ManagerRecovery.Request request =
        new ManagerRecovery.Request(
            directory,
            addresses,
            serverDirectories,
            Set.copyOf(new TreeSet<>(without)),
            insecure ? null : tls(),
            insecure);
    try (ManagerRecovery recovery = ManagerRecovery.open(request)) {
      RecoveryView found = recovery.look().view();
      out.println("manager's log   " + found.log());
      printProblems(found, out);
      RecoveryView.Newest newest = found.newest();
      if (newest == null) {
        throw new CommandFailed(
            found.nothing()
                + "; name servers by --server, or the directories of stopped ones by --server-dir");
      }
      return decide(recovery, newest, out);
    } catch (StartFailed e) {
      throw new CommandFailed(e.sentence(), e);
    } finally {
      out.flush();
    }
  }

  private List<Address> addresses(CommandSpec command) {
    List<Address> addresses = new ArrayList<>();
    for (String text : servers) {
      try {
        addresses.add(Address.parse(text.strip()));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
    return addresses;
  }

  /** The administrator's certificate in the manager's directory, or that of the environment. */
  private @Nullable TlsSettings tls() throws IOException {
    TlsSettings own = ManagerAuthority.administrator(directory);
    return Files.isReadable(own.certificate()) ? own : ForebayOptions.defaults().tls().settings();
  }

  private static void printProblems(RecoveryView found, PrintWriter out) {
    found
        .problems()
        .forEach((source, problem) -> out.println("no answer       " + source + ": " + problem));
  }

  private int decide(ManagerRecovery recovery, RecoveryView.Newest newest, PrintWriter out)
      throws StartFailed, IOException {
    RingMap map = newest.map();
    out.println("newest map      epoch %d of term %d".formatted(map.epoch(), map.term()));
    out.println("cluster         %016x".formatted(map.cluster()));
    out.println();
    print(newest.rows(), out);
    out.println();
    if (!newest.mayGoOn()) {
      Set<String> missing = newest.missingServers();
      missing.removeAll(without);
      out.println(
          "Servers are missing: "
              + String.join(", ", missing)
              + ". They may hold a newer map, and writes that no other server has.");
      out.println(
          "Start them, or name their directories by --server-dir. If one is lost for good or is"
              + " switched off, name it by --without: what only it holds is lost then.");
      return 1;
    }
    if (!write) {
      out.println("Nothing was changed; with --write the manager goes on from this map.");
      return 0;
    }
    ManagerRecovery.Written written = recovery.write();
    out.println("The manager's log was begun anew at epoch " + written.epoch() + ".");
    Path former = written.former();
    if (former != null) out.println("The former log is in '" + former + "'.");
    for (String sentence : written.lost()) out.println(sentence);
    out.println("Start the manager now.");
    return 0;
  }

  private static void print(List<RecoveryView.Row> rows, PrintWriter out) {
    Table table = new Table(3, "seat", "server", "found at", "epoch");
    for (RecoveryView.Row row : rows) {
      SeatEntry seat = row.seat();
      String source = row.source();
      table.row(
          seat == null ? "-" : Integer.toString(seat.id().number()),
          seat == null ? "-" : seat.server(),
          source == null ? "missing" + stay(seat) : source,
          source == null ? "-" : Long.toString(row.epoch()));
    }
    table.print(out);
  }

  private static String stay(@Nullable SeatEntry seat) {
    if (seat == null || !seat.away()) return "";
    return " (" + seat.stay().name().toLowerCase(Locale.ROOT) + ", away)";
  }
}
