// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.up;

import io.forebay.backing.location.BackingRoots;
import io.forebay.cli.cluster.SettingOptions;
import io.forebay.cli.terminal.Running;
import io.forebay.server.Access;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.ServerConfig;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.Address;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a whole cluster in this process until Ctrl-C or a signal. */
@Command(
    name = "up",
    description = {
      "Bring up a cluster on this machine, in one process, until Ctrl-C.",
      "",
      "At an address that other machines reach (--listen) it uses TLS with a CA of its own,",
      "and prints how users of other machines get certificates."
    },
    modelTransformer = SettingOptions.OfUp.class,
    footer = {"", "Every option but --config can stand in the file, as a line 'key = value'."})
public final class UpCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--config", paramLabel = "FILE", description = "A configuration file.")
  private @Nullable Path file;

  @Option(
      names = "--mount",
      paramLabel = "DIR",
      description = "Also mount the cluster's instance on this directory.")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    Settings settings = SettingOptions.read(spec, Keys.UP, file);
    SettingOptions.setLevel(SettingOptions.get(spec, settings, Keys.UP_LOG_LEVEL));
    PrintWriter out = spec.commandLine().getOut();
    boolean kept = settings.isGiven(Keys.UP_DIR);
    Path point = directory;
    Address.Inet usual = SettingOptions.get(spec, settings, Keys.MANAGER_LISTEN);
    Address.Inet listen = settings.isGiven(Keys.MANAGER_LISTEN) ? usual : freeOr(usual);
    String told = told(usual, listen);
    if (!told.isEmpty()) out.println(told);
    AtomicReference<String> memory = new AtomicReference<>("");
    Running.run(
        () -> {
          UpMemory chosen = UpMemory.choose(builder(settings, listen), settings);
          memory.set(chosen.sentence());
          return MountedCluster.start(chosen.builder(), point);
        },
        running -> new UpGuide(running.cluster(), out).print(kept, point, memory.get()));
    return 0;
  }

  private static EmbeddedCluster.Builder builder(Settings settings, Address.Inet listen)
      throws BadSetting {
    EmbeddedCluster.Builder builder =
        EmbeddedCluster.builder()
            .managers(managers(settings))
            .servers(settings.get(Keys.SERVERS))
            .seats(settings.get(Keys.UP_SEATS))
            .copies(settings.get(Keys.COPIES))
            .granuleBytes(settings.get(Keys.GRANULARITY))
            .listen(listen)
            .access(Access.ofUp(settings))
            .directory(settings.find(Keys.UP_DIR))
            .memoryRoot(settings.find(Keys.MEMORY_ROOT))
            .anonymousMemory(settings.get(Keys.ANONYMOUS_MEMORY))
            .budget(settings.get(Keys.UP_MEMORY), settings.get(Keys.UP_SSD))
            .segmentBytes(Math.toIntExact(settings.get(Keys.UP_SEGMENT)))
            .staging(ServerConfig.staging(settings));
    BackingRoots roots = settings.find(Keys.UP_BACKING_ROOT);
    return roots == null ? builder.ownBackingRoot() : builder.backingRoots(roots);
  }

  private static int managers(Settings settings) throws BadSetting {
    Integer given = settings.find(Keys.UP_MANAGERS);
    if (given == null) return 0;
    if (given % 2 == 0) {
      throw new BadSetting(
          "managers is %d, and an even number survives no more losses than one less; give 1, 3 or 5"
              .formatted(given));
    }
    return given;
  }

  /** The address with its port, or with any free port if another process has that port. */
  static Address.Inet freeOr(Address.Inet usual) {
    try (ServerSocket probe =
        new ServerSocket(usual.port(), 1, InetAddress.getByName(usual.host()))) {
      return new Address.Inet(usual.host(), probe.getLocalPort());
    } catch (IOException taken) {
      return new Address.Inet(usual.host(), 0);
    }
  }

  /** Empty if it listens on the requested port. */
  static String told(Address.Inet usual, Address.Inet listen) {
    if (listen.port() == usual.port()) return "";
    return "Port %d is taken, so another one is used; --listen HOST:PORT chooses it."
        .formatted(usual.port());
  }
}
