// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** One example for each command, at the end of its help. */
final class Examples {
  private static final String URI = "forebay://127.0.0.1:7070/default";

  private static final Map<String, String> BY_COMMAND =
      Map.ofEntries(
          Map.entry("demo", "demo --size 256MiB --verbose"),
          Map.entry("up", "up --servers 3 --dir ring"),
          Map.entry("cp", "cp -r results forebay:/step-17"),
          Map.entry("ls", "ls -l /step-17"),
          Map.entry("cat", "cat /step-17/log"),
          Map.entry("stat", "stat /step-17/log"),
          Map.entry("mkdir", "mkdir -p /run/step-18"),
          Map.entry("mv", "mv /step-17 /old"),
          Map.entry("rm", "rm -r /old"),
          Map.entry("put", "put settings settings.json"),
          Map.entry("get", "get settings settings.json"),
          Map.entry("pairs", "pairs -l step/"),
          Map.entry("del", "del settings"),
          Map.entry("mount", "mount " + URI + " /burst --background"),
          Map.entry("umount", "umount /burst"),
          Map.entry("profile", "profile /burst"),
          Map.entry("checkpoints", "checkpoints /run --series 'ckpt-*.h5'"),
          Map.entry("netcdf dump", "netcdf dump -h out.nc"),
          Map.entry("netcdf validate", "netcdf validate out.nc"),
          Map.entry("netcdf diff", "netcdf diff -t 0,1e-6 out.nc expected.nc"),
          Map.entry("netcdf log", "netcdf log out.nc"),
          Map.entry("netcdf recover", "netcdf recover --dry-run out.nc"),
          Map.entry("instance create", "instance create run --copies 2 --backing /lustre/run"),
          Map.entry("instance list", "instance list"),
          Map.entry("job begin", "job begin 4711 --capacity 1GiB --stage-in /lustre/in /in"),
          Map.entry("job list", "job list"),
          Map.entry("job show", "job show 4711"),
          Map.entry("job nodes", "job nodes 4711 n01 n02"),
          Map.entry("job end", "job end 4711"),
          Map.entry("agent", "agent --uri forebay://10.0.0.1 --node n01"),
          Map.entry("nodes", "nodes 4711"),
          Map.entry("token create", "token create --role server --dir /var/lib/forebay/manager"),
          Map.entry("certificates", "certificates --dir /var/lib/forebay/manager"),
          Map.entry("certificates list", "certificates list --json"),
          Map.entry("certificates revoke", "certificates revoke node2"),
          Map.entry("audit", "audit --dir /var/lib/forebay --refused --since 2d"),
          Map.entry("instance destroy", "instance destroy run"),
          Map.entry("instance access", "instance access run --permit group"),
          Map.entry("instance protect", "instance protect run window=10x/24h,log,error"),
          Map.entry("df", "df"),
          Map.entry("usage", "usage run --json"),
          Map.entry("pools", "pools --users"),
          Map.entry("pools set", "pools set fast --granularity 256MiB --max-per-user 2TiB"),
          Map.entry("instance resize", "instance resize scratch --capacity 2TiB"),
          Map.entry("drain", "drain /step-17 --wait"),
          Map.entry("wait-durable", "wait-durable /step-17 --timeout 10m"),
          Map.entry("ledger", "ledger /step-17 --watch"),
          Map.entry("refresh", "refresh /input"),
          Map.entry("stage in", "stage in /lustre/input /input --wait"),
          Map.entry("stage out", "stage out /results /lustre/run-17 --deferred"),
          Map.entry("stage query", "stage query"),
          Map.entry("stage wait", "stage wait 1-1"),
          Map.entry("stage cancel", "stage cancel 1-1"),
          Map.entry("lost", "lost run"),
          Map.entry("backing check", "backing check /lustre/run --contract"),
          Map.entry("backing packs", "backing packs /lustre/run --extract files"),
          Map.entry("manager", "manager --dir m --expect 3"),
          Map.entry("manager recover", "manager recover --dir m --server 10.0.0.2:7071"),
          Map.entry("managers", "managers --uri forebay://127.0.0.1:7070"),
          Map.entry("managers remove", "managers remove node3-manager"),
          Map.entry("server", "server --dir s1 --managers 127.0.0.1:7070"),
          Map.entry("server leave", "server leave server-2 --uri forebay://127.0.0.1:7070"),
          Map.entry("status", "status --watch"),
          Map.entry("revive", "revive --accept-loss"),
          Map.entry("log inspect", "log inspect ring/server-1/seat-1"),
          Map.entry("log verify", "log verify ring/server-1/seat-1"),
          Map.entry("log orphans", "log orphans"),
          Map.entry("simulate", "simulate --minutes 2"),
          Map.entry("chaos", "chaos --servers 4 --minutes 2"),
          Map.entry("fuzz", "fuzz --minutes 10"),
          Map.entry("completion", "completion >~/.forebay-completion"),
          Map.entry("test", "test store"),
          Map.entry("bench ior", "bench ior -a forebay -t 1MiB -b 64MiB -w -r"),
          Map.entry("bench experiments", "bench experiments fig5"),
          Map.entry("bench geos5", "bench geos5 --sizes 4,8,16 --store slow --explain"),
          Map.entry("bench path", "bench path --size 64KiB --clients 8"),
          Map.entry("bench path-helper", "bench path-helper --listen 10.0.0.2:7090"),
          Map.entry("bench drain", "bench drain --part rate"));

  private Examples() {}

  /** Adds them to the help of all commands. */
  static CommandLine show(CommandLine root) {
    for (CommandLine each : root.getSubcommands().values()) show(each, each.getCommandName());
    return root;
  }

  private static void show(CommandLine command, String path) {
    String example = of(command, path);
    if (example != null) {
      CommandSpec spec = command.getCommandSpec();
      List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
      footer.addAll(List.of("", "Example:", "  forebay " + example));
      spec.usageMessage().footer(footer.toArray(String[]::new));
    }
    command.getSubcommands().forEach((name, each) -> show(each, path + " " + name));
  }

  /** Null for a command that does nothing without one below it. */
  static @Nullable String of(CommandLine command, String path) {
    String example = BY_COMMAND.get(path);
    if (example != null) return example;
    if (command.getCommandSpec().findOption("--quick") != null) return path + " --quick";
    return command.getSubcommands().isEmpty() ? path : null;
  }
}
