// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.cli.metrics.DoorOptions;
import io.forebay.cli.metrics.MountSource;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Running;
import io.forebay.cli.terminal.WarningLines;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.mount.CacheMode;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.MountOptions;
import io.forebay.mount.MountSettings;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.server.StartFailed;
import io.forebay.server.metrics.MetricsOptions;
import io.forebay.server.metrics.MetricsService;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Mounts an instance on a directory, until an unmount, Ctrl-C or a signal. */
@Command(
    name = "mount",
    description = "Mount an instance on a directory, so that every program can use its files.",
    footer = {
      "",
      "Options of -o: ro, rw, allow_other, nonempty, noxattr, cache=, uid=, gid=, timeout=SECONDS,",
      "locks=shared|local, private, node=NAME, profile=on|off, and what mount(8) has for all file",
      "systems, such as nosuid, nodev, noexec and noatime.",
    })
public final class MountCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DoorOptions door = new DoorOptions();

  @Parameters(
      index = "0",
      paramLabel = "URI",
      description = "What to mount: forebay://HOST:PORT/INSTANCE, or a directory in it.")
  private String uri = "";

  @Parameters(index = "1", paramLabel = "DIR", description = "An empty directory to mount it on.")
  private Path directory = Path.of("");

  @Option(
      names = {"-b", "--background"},
      description = "Return when it is mounted, and serve it in the background.")
  private boolean background;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = {
        "Where a mount in the background writes its log (default:",
        "/var/log/forebay/mount-DIR.log for root, ~/.local/state/forebay/mount-DIR.log for others)."
      })
  private @Nullable Path log;

  @Option(names = "--read-only", description = "Nothing can be changed through it.")
  private boolean readOnly;

  @Option(names = "--allow-other", description = "Let users other than the mounting one use it.")
  private boolean allowOther;

  @Option(
      names = "--cache",
      paramLabel = "none|auto|writeback",
      description = "What the kernel may keep: see docs/mount.md (default: auto).")
  private @Nullable String cache;

  @Option(
      names = "--locks",
      paramLabel = "shared|local",
      description = {
        "Whether flock and fcntl locks hold between all mounts of the instance,",
        "or among the programs of this mount alone (default: shared)."
      })
  private @Nullable String locks;

  @Option(
      names = "--uid",
      paramLabel = "N",
      description = "Act as this user for all requests (default: as the calling user).")
  private @Nullable Integer user;

  @Option(names = "--gid", paramLabel = "N", description = "The same for the group.")
  private @Nullable Integer group;

  @Option(
      names = "--private",
      description =
          "Mount the private tree of the node, of an instance that also has one for all nodes.")
  private boolean privateTree;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "Whose private tree to mount (default: this machine's).")
  private @Nullable String node;

  @Option(
      names = "-o",
      paramLabel = "OPTIONS",
      description = "Options as mount(8) takes them, separated by commas.")
  private List<String> options = List.of();

  @Override
  public Integer call() throws IOException {
    CommandSpec known = spec;
    if (known == null) throw new IllegalStateException("run outside of a command line");
    MountSettings settings = settings(known);
    MetricsOptions metrics = door.options(null);
    PrintWriter out = known.commandLine().getOut();
    if (log != null && !background) {
      throw new ParameterException(
          known.commandLine(), "--log is for --background; else the log goes to standard error");
    }
    if (background) {
      MountLog file = MountLog.open(log == null ? MountLog.usual(directory) : log);
      out.println(BackgroundMount.start(file, known.commandLine().getErr()));
      out.flush();
      return 0;
    }
    Running.run(
        () -> mount(uri, directory, settings, options(known), metrics),
        mounted -> {
          out.println(told(uri, directory) + BackgroundMount.HOW_TO_END.formatted(directory));
          out.flush();
        });
    return 0;
  }

  /** The line that reports a successful mount. */
  static String told(String uri, Path directory) {
    return "mounted " + uri + " at " + directory;
  }

  private MountSettings settings(CommandSpec command) {
    try {
      if (ForebayUri.parse(uri).instance().isEmpty()) {
        throw new IllegalArgumentException(
            "'" + uri + "' names no instance; write " + uri + "/NAME");
      }
      MountOptions all = usual().process(ProcessHandle.current().pid());
      for (String list : options) all.addAll(list);
      if (readOnly) all.readOnly();
      if (allowOther) all.allowOther();
      if (cache != null) all.cache(CacheMode.parse(cache));
      if (locks != null) all.locks(locks);
      if (user != null) all.user(user);
      if (group != null) all.group(group);
      if (privateTree) all.privateTree();
      if (node != null) all.node(node);
      return all.settings();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** What a mount by a command does without options. */
  public static MountOptions usual() {
    return new MountOptions().profiles(ProfileFolder.usual(System.getenv()).path());
  }

  private static ForebayOptions options(CommandSpec command) {
    return ForebayOptions.defaults().withWarnings(WarningLines.on(command.commandLine().getErr()));
  }

  /** Mounts, or ends the command with a sentence. */
  public static MountProcess mount(
      String uri,
      Path directory,
      MountSettings settings,
      ForebayOptions options,
      MetricsOptions metrics)
      throws IOException, StartFailed {
    ForebayMount mount = null;
    try {
      mount = ForebayMount.mount(uri, directory, settings, options);
      MetricsService opened = DoorOptions.open("mount", metrics, null, new MountSource(mount));
      return new MountProcess(mount, opened);
    } catch (StartFailed e) {
      if (mount != null) mount.end();
      throw e;
    } catch (FuseUnavailable e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    } catch (ForebayException e) {
      throw new CommandFailed(e.getMessage() + "; nothing was mounted on '" + directory + "'", e);
    }
  }
}
