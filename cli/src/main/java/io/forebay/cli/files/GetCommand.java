package io.forebay.cli.files;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.Forebay;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Reads the value of a key. */
@Command(name = "get", description = "Read the value that is kept under a key.")
public final class GetCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(index = "0", paramLabel = "KEY", description = "The key.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "-",
      description = "Where the value goes; - for standard output, the default.")
  private String file = "-";

  @Override
  public Integer call() throws IOException {
    remote.key(key);
    try (Forebay forebay = remote.instance()) {
      byte[] value = forebay.pairs().get(key);
      if (value == null) {
        throw new CommandFailed(
            "there is no value under '" + key + "'; 'forebay pairs' lists the keys");
      }
      if (file.equals("-")) Streams.toStandardOutput(new ByteArrayInputStream(value));
      else Files.write(Path.of(file), value);
    }
    return 0;
  }
}
