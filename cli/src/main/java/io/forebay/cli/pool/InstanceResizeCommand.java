// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.pool;

import io.forebay.base.ByteSize;
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

/** Gives an instance another capacity. */
@Command(
    name = "resize",
    description = {
      "Give an instance more capacity of its pool, or less, but not less than it holds. For its",
      "owner and root."
    })
public final class InstanceResizeCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      required = true,
      description = "How much it may hold, copies not counted; rounded up to granules.")
  private ByteSize capacity = new ByteSize(0);

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    try (Cluster cluster = remote.cluster()) {
      Instance now = cluster.resizeInstance(name, capacity.bytes());
      PrintWriter out = spec.commandLine().getOut();
      out.println("'%s' may hold %s".formatted(name, ByteSize.format(now.capacityBytes())));
      out.flush();
    }
    return 0;
  }
}
