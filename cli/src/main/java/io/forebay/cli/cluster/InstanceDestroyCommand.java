// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.ending.EndWatch;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.ring.Instance;
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
      "Destroy an instance with all it holds, after all that is being staged out of it, or was",
      "deferred until now, is at its destination. With 'end' in its drain policy what it holds is",
      "drained first; it takes no writes meanwhile. The servers do that even if this command is",
      "interrupted."
    })
final class InstanceDestroyCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--discard", description = "At once: what is not drained or staged out is lost.")
  private boolean discard;

  @Option(names = "--no-wait", description = "Do not wait until it is gone.")
  private boolean noWait;

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    try (Cluster cluster = remote.cluster()) {
      Instance before = find(cluster);
      if (discard) cluster.discardInstance(name);
      else cluster.destroyInstance(name);
      if (!discard && before != null) end(cluster, before);
      boolean ending = before != null && isThere(cluster, before);
      PrintWriter out = spec.commandLine().getOut();
      out.println(done(name, discard, ending));
      out.flush();
    }
    return 0;
  }

  private void end(Cluster cluster, Instance before) throws IOException, InterruptedException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    EndWatch watch = new EndWatch(remote, before);
    if (before.drain().ending()) watch.retry();
    if (!noWait) watch.await(cluster, spec.commandLine().getErr());
  }

  /** The state of the instance after the request. */
  static String done(String name, boolean discarded, boolean ending) {
    if (ending) {
      return "'%s' takes no more writes; it ends when all is staged out and drained"
          .formatted(name);
    }
    return "'%s' is destroyed%s".formatted(name, discarded ? ", without what was not drained" : "");
  }

  private @Nullable Instance find(Cluster cluster) throws IOException {
    return cluster.instances().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static boolean isThere(Cluster cluster, Instance instance) throws IOException {
    return cluster.instances().stream().anyMatch(each -> each.id() == instance.id());
  }
}
