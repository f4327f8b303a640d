// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.pool;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.ring.RingMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the pools of a cluster, and what of them is promised to instances. */
@Command(
    name = "pools",
    description = {
      "Show the pools: what their servers can keep, in granules, and what of it is free. Copies",
      "count: an instance that keeps two takes two granules for each granule of its capacity."
    },
    subcommands = PoolsSetCommand.class)
public final class PoolsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--users", description = "Show what each user has of each pool.")
  private boolean users;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    List<PoolFigures> pools;
    try (Cluster cluster = remote.cluster()) {
      RingMap map = cluster.map();
      pools = map.pools().stream().map(pool -> PoolFigures.of(pool, map)).toList();
    }
    if (json) out.println(Json.write(pools.stream().map(PoolFigures::json).toList()));
    else if (users) printUsers(pools, out);
    else print(pools, out);
    out.flush();
    return 0;
  }

  private static void print(List<PoolFigures> pools, PrintWriter out) {
    Table table =
        new Table(
            1,
            "pool",
            "granularity",
            "quantity",
            "free",
            "bytes",
            "free bytes",
            "servers",
            "instances",
            "short",
            "per user");
    for (PoolFigures pool : pools) {
      table.row(
          pool.name(),
          ByteSize.format(pool.granuleBytes()),
          Long.toString(pool.quantity()),
          Long.toString(pool.free()),
          ByteSize.format(pool.quantity() * pool.granuleBytes()),
          ByteSize.format(pool.free() * pool.granuleBytes()),
          Integer.toString(pool.servers()),
          Integer.toString(pool.instances()),
          pool.lacking() == 0 ? "-" : Long.toString(pool.lacking()),
          pool.userBytesMax() == 0 ? "-" : ByteSize.format(pool.userBytesMax()));
    }
    table.print(out);
  }

  private static void printUsers(List<PoolFigures> pools, PrintWriter out) {
    Table table = new Table(1, "pool", "user", "instances", "capacity", "granules");
    for (PoolFigures pool : pools) {
      for (PoolFigures.User user : pool.users()) {
        table.row(
            pool.name(),
            Integer.toString(user.user()),
            Integer.toString(user.instances()),
            ByteSize.format(user.capacityBytes()),
            Long.toString(user.granules()));
      }
    }
    table.print(out);
  }
}
