// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.ByteSize;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.files.copy.CopyEnd;
import io.forebay.cli.files.copy.Copying;
import io.forebay.cli.files.copy.LocalEnd;
import io.forebay.cli.files.copy.RemoteEnd;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.OrderlyEnd;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies files between this machine and instances. */
@Command(
    name = "cp",
    description = "Copy files between this machine and a cluster, either way.",
    footer = {
      "",
      "Paths that begin with 'forebay:' are in a cluster: forebay://HOST:PORT/INSTANCE/PATH, or",
      "forebay:/PATH in the instance of FOREBAY_URI. All other paths are on this machine.",
    })
public final class CopyCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = {"-r", "--recursive"},
      description = "Copy directories with all they hold.")
  private boolean recursive;

  @Parameters(
      paramLabel = "PATH",
      arity = "2..*",
      description = "What to copy, and last where to: a new name, or a directory.")
  private List<String> paths = List.of();

  private final Map<String, Forebay> connections = new LinkedHashMap<>();
  private final MonotonicClock clock = MonotonicClock.system();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (paths.stream().noneMatch(RemotePath::isRemote)) {
      throw new ParameterException(
          spec.commandLine(),
          "none of the paths is in a cluster; write forebay:/PATH for the one that is");
    }
    long startNanos = clock.nanos();
    Copying copying;
    try (OrderlyEnd end = OrderlyEnd.begin()) {
      try (Progress progress = Progress.of("copying", spec.commandLine().getErr())) {
        copying = copyAll(new Copying(recursive, progress, end::check));
      } catch (IOException e) {
        if (!end.isTold()) throw e;
        throw new CommandFailed("interrupted; what was copied in part is removed", e);
      } finally {
        closeAll();
      }
    }
    print(copying, clock.nanos() - startNanos, spec.commandLine().getOut());
    return 0;
  }

  private Copying copyAll(Copying copying) throws IOException {
    CopyEnd target = place(paths.getLast());
    CopyEnd.Found found = target.find(true);
    boolean into = found != null && found.isDirectory();
    if (paths.size() > 2 && !into) {
      throw new CommandFailed("'" + target + "' is not a directory to copy several files into");
    }
    List<CopyEnd> sources = new ArrayList<>();
    for (String path : paths.subList(0, paths.size() - 1)) sources.add(place(path));
    for (CopyEnd source : sources) copying.measure(source);
    for (CopyEnd source : sources) {
      copying.copy(source, into && !source.name().isEmpty() ? target.below(source.name()) : target);
    }
    return copying;
  }

  private CopyEnd place(String text) throws IOException {
    if (!RemotePath.isRemote(text)) return new LocalEnd(Path.of(text));
    RemotePath path = remote.path(text);
    Forebay connection = connections.get(path.instanceUri());
    if (connection == null) {
      connection = remote.connect(path);
      connections.put(path.instanceUri(), connection);
    }
    return new RemoteEnd(connection, path);
  }

  private void closeAll() throws IOException {
    for (Forebay connection : connections.values()) connection.close();
  }

  private static void print(Copying copying, long nanos, PrintWriter out) {
    double seconds = Math.max(nanos, 1) / 1e9;
    out.println(
        String.format(
            Locale.ROOT,
            "%d %s, %s in %.1f s (%s/s)",
            copying.files(),
            copying.files() == 1 ? "file" : "files",
            ByteSize.format(copying.bytes()),
            seconds,
            ByteSize.format((long) (copying.bytes() / seconds))));
    out.flush();
  }
}
