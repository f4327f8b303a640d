// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.pool;

import io.forebay.base.ByteSize;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the settings of a pool. */
@Command(name = "set", description = "Change the settings of a pool; for root only.")
final class PoolsSetCommand implements Callable<Integer> {
  private static final String NONE = "none";
  private static final long LEAVE = -1;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NAME", description = "The pool.")
  private String name = "";

  @Option(
      names = "--granularity",
      paramLabel = "SIZE",
      description = "The unit of capacity; while no instance has a capacity of the pool.")
  private @Nullable ByteSize granularity;

  @Option(
      names = "--max-per-user",
      paramLabel = "SIZE|none",
      description = "The capacity that all instances of one user may have; root is exempt.")
  private @Nullable String userMax;

  @Option(
      names = "--protection",
      paramLabel = "POLICY|none",
      description = "The default write protection of its instances.")
  private @Nullable String protection;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (granularity == null && userMax == null && protection == null) {
      throw wrong("nothing to change: give --granularity, --max-per-user or --protection");
    }
    long userBytes = userBytes();
    try (Cluster cluster = remote.cluster()) {
      cluster.setPool(
          name,
          granularity == null ? 0 : granularity.bytes(),
          userBytes,
          NONE.equals(protection) ? "" : protection);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("pool '" + name + "' is changed");
    out.flush();
    return 0;
  }

  private long userBytes() {
    if (userMax == null) return LEAVE;
    if (userMax.equals(NONE)) return 0;
    try {
      return ByteSize.parse(userMax).bytes();
    } catch (IllegalArgumentException e) {
      throw wrong("--max-per-user cannot be '" + userMax + "': " + e.getMessage());
    }
  }

  private ParameterException wrong(String sentence) {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return new ParameterException(spec.commandLine(), sentence);
  }
}
