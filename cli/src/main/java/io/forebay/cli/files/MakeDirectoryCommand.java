// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates directories. */
@Command(name = "mkdir", description = "Make directories.")
public final class MakeDirectoryCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = {"-p", "--parents"},
      description = "Create missing parents too; an existing directory is no error.")
  private boolean parents;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "Which directories.")
  private List<String> paths = List.of();

  @Override
  public Integer call() throws IOException {
    for (String path : paths) {
      RemotePath target = remote.path(path);
      try (Forebay forebay = remote.connect(target)) {
        if (parents) makeAll(forebay, target.path());
        else make(forebay, target.path());
      }
    }
    return 0;
  }

  private static void make(Forebay forebay, String path) throws IOException {
    try {
      forebay.mkdir(path);
    } catch (NoSuchFileException e) {
      throw new CommandFailed(
          "the directory above '" + path + "' does not exist; make it too with -p", e);
    }
  }

  private static void makeAll(Forebay forebay, String path) throws IOException {
    int slash = 0;
    while (slash >= 0) {
      slash = path.indexOf('/', slash + 1);
      String upTo = slash < 0 ? path : path.substring(0, slash);
      try {
        forebay.mkdir(upTo);
      } catch (FileAlreadyExistsException e) {
        if (!forebay.stat(upTo).isDirectory()) throw e;
      }
    }
  }
}
