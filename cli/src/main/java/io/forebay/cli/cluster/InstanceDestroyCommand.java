package io.forebay.cli.cluster;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Destroys an instance. */
@Command(name = "destroy", description = "Destroy an instance with all it holds.")
final class InstanceDestroyCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Override
  public Integer call() throws IOException {
    try (Cluster cluster = remote.cluster()) {
      cluster.destroyInstance(name);
    }
    return 0;
  }
}
