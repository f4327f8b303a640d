// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.ending.EndWatch;
import io.forebay.cli.ending.ExpiryTime;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.WatchOptions;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows a cluster: its map, its seats, their groups. */
@Command(
    name = "status",
    description = "Show the ring: seats, neighbours, groups, memory and disk in use.",
    footer = {
      "",
      "Seats, in the order of the ring:",
      "  next       the seat behind it, which keeps copies for it",
      "  map        the number of the map that it follows; or 'away' (not heard of, others stand",
      "             in), 'gone' (away for so long that its groups get other members), 'silent'",
      "             (does not answer this command)",
      "  memory     used and in all; ssd the same",
      "  records    pieces of files in its log, copies for others included",
      "  live       their bytes, without those that are deleted, or drained and evicted",
      "  put        bytes that clients wrote here; copied: that other seats sent; got: that were",
      "             read here; since it started, or per second with --watch",
      "  up         how long its process runs",
      "Groups, each the copies of one seat's data:",
      "  group      SEATxCOPIES: whose data, and how many copies",
      "  members    the seats that keep it, its home first",
      "  state      'serving', or what the home does before it serves",
      "  epoch      how often its members changed",
      "  lease      for how long the home may still answer without asking the others",
      "  journal    the first and the last entry of its journal of names",
      "  sessions   clients that have its files in use",
      "  puts       writes that are being copied now"
    })
public final class StatusCommand implements Callable<Integer> {
  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();
  @Mixin private WatchOptions watch = new WatchOptions();

  /** Rates follow from two observations. */
  private record Seen(ClusterStatus now, @Nullable ClusterStatus before) {}

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      watch.<Seen>show(
          out,
          seen ->
              new Seen(ClusterStatus.ask(cluster, clock.nanos()), seen == null ? null : seen.now()),
          seen -> StatusJson.of(seen.now(), seen.before()),
          seen -> {
            StatusTables.print(seen.now(), seen.before(), out);
            ExpiryTime.sentences(seen.now().map().instances(), Instant.now())
                .forEach(sentence -> out.println("\n" + sentence));
            EndWatch.sentences(remote, seen.now().map().instances())
                .forEach(sentence -> out.println("\n" + sentence));
          });
    }
    return 0;
  }
}
