// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.cli.files.copy.Streams;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stores a value under a key. */
@Command(name = "put", description = "Keep a value under a key; an older value is replaced.")
public final class PutCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(index = "0", paramLabel = "KEY", description = "Any text of up to 1024 bytes.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "-",
      description = "Where the value is; - for standard input, the default.")
  private String file = "-";

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    remote.key(key);
    if (file.equals("-")) {
      put(System.in);
    } else {
      Path path = Path.of(file);
      try (InputStream value = Files.newInputStream(path);
          Progress progress = Progress.of("writing", spec.commandLine().getErr())) {
        put(Streams.watched(value, Streams.shownBy(progress, Files.size(path))));
      }
    }
    return 0;
  }

  private void put(InputStream value) throws IOException {
    try (Forebay forebay = remote.instance()) {
      forebay.pairs().put(key, value);
    }
  }
}
