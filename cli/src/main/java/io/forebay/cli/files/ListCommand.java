// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.client.Forebay;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists a directory. */
@Command(name = "ls", description = "List a directory, or show one file.")
public final class ListCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      defaultValue = "/",
      description = "Such as /dir or forebay://HOST:PORT/INSTANCE/dir (default: /).")
  private String path = "/";

  @Option(names = "-l", description = "Show mode, owner, size and time too.")
  private boolean details;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    RemotePath target = remote.path(path);
    try (Forebay forebay = remote.connect(target)) {
      FileStat stat = forebay.stat(target.path());
      if (stat.isDirectory()) list(forebay.list(target.path()), out);
      else list(List.of(new DirectoryEntry(target.name(), stat)).iterator(), out);
    }
    out.flush();
    return 0;
  }

  /** Line by line, since a directory may be larger than memory; names come in order. */
  private void list(Iterator<DirectoryEntry> entries, PrintWriter out) {
    if (json) {
      List<Object> all = new ArrayList<>();
      while (entries.hasNext()) {
        DirectoryEntry entry = entries.next();
        all.add(FileText.json(entry.name(), entry.stat()));
      }
      out.println(Json.write(all));
      return;
    }
    while (entries.hasNext()) {
      DirectoryEntry entry = entries.next();
      out.println(details ? line(entry) : FileText.shown(entry));
    }
  }

  private static String line(DirectoryEntry entry) {
    FileStat stat = entry.stat();
    return "%s %3d %5d %5d %9s  %s  %s"
        .formatted(
            FileText.mode(stat),
            stat.links(),
            stat.user(),
            stat.group(),
            FileText.size(stat),
            FileText.time(stat.modifyTime()),
            FileText.shown(entry));
  }
}
