// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.Unavailability;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Continues groups in which no member holds everything. For each:
 *
 * <ol>
 *   <li>All members are asked how far their journals reach without a gap.
 *   <li>If one does not answer it may hold what the others lost: nothing is done without the
 *       operator's consent.
 *   <li>The group continues with the member whose journal is the newest, then the longest; the
 *       manager checks that nothing has changed since.
 * </ol>
 */
@Command(
    name = "revive",
    description = {
      "Continue groups whose members all lost memory, with the remaining data.",
      "Without --accept-loss it only shows what would be done."
    },
    footer = {
      "",
      "Start all servers first: one that is away may hold what the others lost. Afterwards 'forebay"
          + " lost' tells which bytes are missing.",
      "Exit codes: 0 every group can continue, 1 some wait, or it failed."
    })
public final class ReviveCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--accept-loss", description = "Do it: data that no member has any more is lost.")
  private boolean acceptLoss;

  @Option(
      names = "--without-absent",
      description = "Do it although servers are away that may hold what the others lost.")
  private boolean withoutAbsent;

  /** How far the journal of a member reaches. */
  private record Left(Group.Member member, SeatEntry seat, long epoch, long last, long records) {}

  /** The remaining members of a group. */
  private record Remains(Group group, List<Left> members, List<String> absent) {
    @Nullable Left best() {
      return members.stream()
          .max(Comparator.comparingLong(Left::epoch).thenComparingLong(Left::last))
          .orElse(null);
    }
  }

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      ClusterStatus status = ClusterStatus.ask(cluster, 0);
      List<Remains> lost =
          status.map().groups().stream()
              .filter(group -> group.currentMembers() == 0)
              .map(group -> remains(status, group))
              .toList();
      if (lost.isEmpty()) {
        out.println("every group has a member that holds everything; there is nothing to revive");
        return 0;
      }
      print(lost, out);
      if (!acceptLoss) {
        out.println();
        out.println("Nothing was changed; with --accept-loss these groups continue like this.");
        return 1;
      }
      requireAll(lost);
      for (Remains each : lost) {
        Left best = each.best();
        if (best == null) throw new IllegalStateException("a group without members");
        cluster.revive(each.group, best.member);
      }
      out.println();
      out.println(
          Brief.counted(lost.size(), "group")
              + " revived; 'forebay lost' tells which bytes are missing");
      return 0;
    }
  }

  private static Remains remains(ClusterStatus status, Group group) {
    List<Left> members = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (Group.Member member : group.members()) {
      SeatEntry seat = status.map().seat(member.seat());
      if (seat == null) continue;
      Statuses.SeatStatus said = status.of(member.seat());
      Statuses.GroupStatus journal = status.of(member.seat(), group.id());
      if (said == null || journal == null || seat.away()) {
        absent.add(seat.id() + " on server " + seat.server());
      } else {
        members.add(
            new Left(member, seat, journal.usableEpoch(), journal.usableLast(), said.records()));
      }
    }
    return new Remains(group, members, absent);
  }

  private static void print(List<Remains> lost, PrintWriter out) {
    Table table = new Table(4, "group", "continues with", "server", "journal", "epoch", "records");
    for (Remains each : lost) {
      Left best = each.best();
      table.row(
          Unavailability.nameOf(each.group),
          best == null ? "-" : best.seat.id().toString(),
          best == null ? "-" : best.seat.server(),
          best == null ? "-" : Long.toString(best.last),
          best == null ? "-" : Long.toString(best.epoch),
          best == null ? "-" : Long.toString(best.records));
    }
    table.print(out);
  }

  /** A member that is away may hold what the others lost. */
  private void requireAll(List<Remains> lost) {
    for (Remains each : lost) {
      boolean missed = !each.absent.isEmpty() && !withoutAbsent;
      if (!missed && each.best() != null) continue;
      throw new CommandFailed(
          "group %s cannot be revived yet: %s does not answer and may hold what is missing; start it%s"
              .formatted(
                  Unavailability.nameOf(each.group),
                  String.join(", ", each.absent),
                  each.best() == null ? "" : ", or give it up with --without-absent"));
    }
  }
}
