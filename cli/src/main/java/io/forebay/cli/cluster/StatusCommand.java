package io.forebay.cli.cluster;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.WatchOptions;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows a cluster: its map, its seats, their groups. */
@Command(
    name = "status",
    description = "Show the ring: seats, neighbours, groups, memory and disk in use.")
public final class StatusCommand implements Callable<Integer> {
  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();
  @Mixin private WatchOptions watch = new WatchOptions();

  /** Rates are told from two looks. */
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
          seen -> StatusTables.print(seen.now(), seen.before(), out));
    }
    return 0;
  }
}
