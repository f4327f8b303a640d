// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.Forebay;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes files and directories. */
@Command(name = "rm", description = "Remove files, and with -r directories with all they hold.")
public final class RemoveCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = {"-r", "--recursive"},
      description = "Remove directories too.")
  private boolean recursive;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to remove.")
  private List<String> paths = List.of();

  @Override
  public Integer call() throws IOException {
    List<RemotePath> targets = new ArrayList<>();
    for (String path : paths) targets.add(remote.path(path));
    // Before anything is removed.
    if (targets.stream().anyMatch(RemotePath::isRoot)) {
      throw remote.wrong(
          "the root of an instance stays; remove what is in it, or 'forebay instance destroy'");
    }
    for (RemotePath target : targets) {
      try (Forebay forebay = remote.connect(target)) {
        FileStat stat = forebay.stat(target.path(), false);
        if (stat.isDirectory() && !recursive) {
          throw new CommandFailed("'" + target + "' is a directory; remove it with -r");
        }
        remove(forebay, target, stat);
      }
    }
    return 0;
  }

  private static void remove(Forebay forebay, RemotePath target, FileStat stat) throws IOException {
    if (!stat.isDirectory()) {
      forebay.unlink(target.path());
      return;
    }
    Iterator<DirectoryEntry> entries = forebay.list(target.path());
    while (entries.hasNext()) {
      DirectoryEntry entry = entries.next();
      remove(forebay, target.below(entry.name()), entry.stat());
    }
    forebay.rmdir(target.path());
  }
}
