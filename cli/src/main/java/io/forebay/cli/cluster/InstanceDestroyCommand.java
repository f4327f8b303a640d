package io.forebay.cli.cluster;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.Ledger;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Destroys an instance. */
@Command(
    name = "destroy",
    description = {
      "Destroy an instance with all it holds.",
      "With 'end' in its drain policy what it holds is drained first; it takes no writes meanwhile."
    })
final class InstanceDestroyCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 500;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--discard", description = "At once, with what is not drained.")
  private boolean discard;

  @Option(names = "--no-wait", description = "Do not wait until everything is drained.")
  private boolean noWait;

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter err = spec.commandLine().getErr();
    try (Cluster cluster = remote.cluster()) {
      if (discard) cluster.discardInstance(name);
      else cluster.destroyInstance(name);
      if (!discard && !noWait) awaitEnd(cluster, err);
    }
    return 0;
  }

  private void awaitEnd(Cluster cluster, PrintWriter err) throws IOException, InterruptedException {
    String told = "";
    while (isEnding(cluster)) {
      String now = state();
      if (!now.isEmpty() && !now.equals(told)) {
        told = now;
        err.println(now);
        err.flush();
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private boolean isEnding(Cluster cluster) throws IOException {
    return cluster.instances().stream()
        .anyMatch(each -> each.name().equals(name) && each.drain().ending());
  }

  /** What is still to be drained, or keeps it from being. */
  private String state() {
    try (Forebay forebay = remote.instance(name)) {
      Ledger ledger = forebay.ledger();
      long open =
          ledger.entries().stream().filter(each -> each.state() != Ledger.State.DURABLE).count();
      if (!ledger.trouble().isEmpty()) {
        return "%d files are not drained: %s; it goes on by itself, or destroy with --discard"
            .formatted(open, ledger.trouble());
      }
      return open == 0 ? "" : "draining %d files".formatted(open);
    } catch (IOException e) {
      // It may be gone by now; if it is not, the next look tells.
      return "";
    }
  }
}
