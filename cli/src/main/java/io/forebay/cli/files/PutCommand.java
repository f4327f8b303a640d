package io.forebay.cli.files;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Forebay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Keeps a value under a key. */
@Command(name = "put", description = "Keep a value under a key; an older value is replaced.")
public final class PutCommand implements Callable<Integer> {
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
    remote.key(key);
    boolean standard = file.equals("-");
    try (InputStream value = standard ? System.in : Files.newInputStream(Path.of(file));
        Forebay forebay = remote.instance()) {
      forebay.pairs().put(key, value);
    }
    return 0;
  }
}
