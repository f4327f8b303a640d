// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.files.copy.Streams;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes files to standard output. */
@Command(name = "cat", description = "Write files to standard output, one behind the other.")
public final class CatCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "Which files.")
  private List<String> paths = List.of();

  @Override
  public Integer call() throws IOException {
    for (String path : paths) {
      RemotePath source = remote.path(path);
      try (Forebay forebay = remote.connect(source)) {
        if (forebay.stat(source.path()).isDirectory()) {
          throw new CommandFailed("'" + source + "' is a directory; list it with 'forebay ls'");
        }
        cat(forebay, source);
      }
    }
    return 0;
  }

  private static void cat(Forebay forebay, RemotePath source) throws IOException {
    try (ForebayFile file = forebay.open(source.path());
        InputStream bytes = file.inputStream(0)) {
      Streams.toStandardOutput(bytes);
    }
  }
}
