package io.forebay.cli.cluster;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Json;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a cluster: its map, its seats, their groups. */
@Command(
    name = "status",
    description = "Show the ring: seats, neighbours, groups, memory and disk in use.")
public final class StatusCommand implements Callable<Integer> {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "1",
      defaultValue = "0",
      paramLabel = "SECONDS",
      description = "Show it again every second, or as often as said, until Ctrl-C.")
  private double watchSeconds;

  @Option(names = "--json", description = "Print everything as JSON, one line each time.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      ClusterStatus before = null;
      while (true) {
        ClusterStatus now = ClusterStatus.ask(cluster, clock.nanos());
        if (json) out.println(Json.write(StatusJson.of(now, before)));
        else show(now, before, out);
        out.flush();
        before = now;
        if (watchSeconds <= 0) return 0;
        TimeUnit.NANOSECONDS.sleep((long) (watchSeconds * 1e9));
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private void show(ClusterStatus now, @Nullable ClusterStatus before, PrintWriter out) {
    if (watchSeconds > 0 && Progress.onTerminal()) out.print(CLEAR_SCREEN);
    StatusTables.print(now, before, out);
  }
}
