// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.backing.location.BackingRoots;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Running;
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
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Locale;
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
    description = "Bring up a cluster on this machine, in one process, until Ctrl-C.",
    modelTransformer = SettingOptions.OfUp.class,
    footer = {"", "Every option but --config can stand in the file, as a line 'key = value'."})
public final class UpCommand implements Callable<Integer> {
  /** How the launcher was called, so that the shown commands can be typed as they are. */
  private static final String LAUNCHED_AS = "FOREBAY_LAUNCHED_AS";

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
    requireLoopback(usual);
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
        running -> print(running.cluster(), kept, point, memory.get(), out));
    return 0;
  }

  private static EmbeddedCluster.Builder builder(Settings settings, Address.Inet listen)
      throws BadSetting {
    EmbeddedCluster.Builder builder =
        EmbeddedCluster.builder()
            .servers(settings.get(Keys.SERVERS))
            .seats(settings.get(Keys.UP_SEATS))
            .copies(settings.get(Keys.COPIES))
            .granuleBytes(settings.get(Keys.GRANULARITY))
            .listen(listen)
            .directory(settings.find(Keys.UP_DIR))
            .memoryRoot(settings.find(Keys.MEMORY_ROOT))
            .anonymousMemory(settings.get(Keys.ANONYMOUS_MEMORY))
            .budget(settings.get(Keys.UP_MEMORY), settings.get(Keys.UP_SSD))
            .segmentBytes(Math.toIntExact(settings.get(Keys.UP_SEGMENT)))
            .staging(ServerConfig.staging(settings));
    BackingRoots roots = settings.find(Keys.UP_BACKING_ROOT);
    return roots == null ? builder.ownBackingRoot() : builder.backingRoots(roots);
  }

  /** The servers of this command listen on loopback addresses, and so must its manager. */
  private static void requireLoopback(Address.Inet listen) {
    boolean loopback;
    try {
      loopback = InetAddress.getByName(listen.host()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new CommandFailed(
          "'%s' is not a known host; --listen needs a loopback address such as 127.0.0.1:7070"
              .formatted(listen.host()),
          e);
    }
    if (loopback) return;
    throw new CommandFailed(
        "'up' is for this machine alone, and other machines would reach "
            + listen
            + "; give --listen a loopback address such as 127.0.0.1:7070, or run 'forebay manager'"
            + " and 'forebay server' instead");
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

  private static void print(
      EmbeddedCluster cluster, boolean kept, @Nullable Path point, String memory, PrintWriter out) {
    out.println(
        "Forebay is up with " + Brief.counted(cluster.servers(), "server") + ". In another shell:");
    out.println();
    out.println("  export FOREBAY_URI=" + cluster.uri());
    String forebay = System.getenv().getOrDefault(LAUNCHED_AS, "forebay");
    hint(out, forebay + " cp FILE forebay:/", "write a file, kept before it returns");
    hint(out, forebay + " ls -l /", "see it");
    hint(out, "echo hello | " + forebay + " put KEY", "or keep a value under a key");
    hint(out, forebay + " status --watch", "watch the ring");
    out.println();
    if (!memory.isEmpty()) out.println(memory);
    if (point != null) out.println("Its files are in " + point + " for every program.");
    out.println(
        kept
            ? "Ctrl-C ends it; everything stays in " + cluster.directory() + " for the next time."
            : "Ctrl-C ends it and removes everything; with --dir DIR it would stay.");
    out.flush();
  }

  private static void hint(PrintWriter out, String command, String what) {
    out.println(String.format(Locale.ROOT, "  %-33s # %s", command, what));
  }
}
