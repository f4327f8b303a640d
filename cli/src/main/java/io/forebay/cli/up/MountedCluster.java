// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.up;

import io.forebay.cli.mount.MountCommand;
import io.forebay.cli.mount.MountProcess;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.LocalProcess;
import io.forebay.server.StartFailed;
import io.forebay.server.metrics.MetricsOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A cluster in this process, and optionally a mount of it, which ends first. */
final class MountedCluster implements LocalProcess {
  private final EmbeddedCluster cluster;
  private final @Nullable MountProcess mount;

  private MountedCluster(EmbeddedCluster cluster, @Nullable MountProcess mount) {
    this.cluster = cluster;
    this.mount = mount;
  }

  static MountedCluster start(EmbeddedCluster.Builder builder, @Nullable Path directory)
      throws StartFailed, IOException {
    EmbeddedCluster cluster = builder.start();
    if (directory == null) return new MountedCluster(cluster, null);
    try {
      return new MountedCluster(
          cluster,
          MountCommand.mount(
              cluster.uri(),
              directory,
              MountCommand.usual().settings(),
              cluster.options(),
              MetricsOptions.OFF));
    } catch (StartFailed | IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  @Override
  public @Nullable String failure() {
    return cluster.failure();
  }

  @Override
  public void close() {
    if (mount != null) mount.close();
    cluster.close();
  }
}
