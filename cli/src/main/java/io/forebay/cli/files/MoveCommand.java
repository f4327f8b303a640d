// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Renames a file or directory. */
@Command(
    name = "mv",
    description = "Rename a file or directory, or move it into another directory, in one step.")
public final class MoveCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(index = "0", paramLabel = "FROM", description = "What to move.")
  private String from = "";

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "Its new name, or a directory that exists.")
  private String to = "";

  @Override
  public Integer call() throws IOException {
    RemotePath source = remote.path(from);
    RemotePath target = remote.path(to);
    if (!source.instanceUri().equals(target.instanceUri())) {
      throw remote.wrong(
          "files move within one instance only; use 'forebay cp -r' and 'forebay rm -r'");
    }
    try (Forebay forebay = remote.connect(source)) {
      forebay.rename(source.path(), place(forebay, source, target).path());
    }
    return 0;
  }

  private static RemotePath place(Forebay forebay, RemotePath source, RemotePath target)
      throws IOException {
    try {
      boolean into = forebay.stat(target.path()).isDirectory();
      return into ? target.below(source.name()) : target;
    } catch (NoSuchFileException isNew) {
      return target;
    }
  }
}
