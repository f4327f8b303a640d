// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mount;

import io.forebay.bench.Rounds;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.MountedDirectories;
import io.forebay.bench.process.MountedDirectories.Caching;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All ways to a file, open for transfers of one size. */
final class Ways implements AutoCloseable {
  /** The indexes of the other ways, which follow the mounts. */
  static final int PASS_THROUGH = Caching.values().length;

  static final int CLIENT = 2 * PASS_THROUGH;
  static final int DISK = CLIENT + 1;

  /** A way, and the file that the kernel knows, if it does. */
  private record Way(IorRun run, @Nullable Path file) {}

  /** The results of one way. */
  record Seconds(double write, double read) {}

  private final ServedCluster cluster;
  private final List<Way> ways = new ArrayList<>();

  Ways(
      IorLayout layout,
      MountedDirectories mounts,
      ServedCluster cluster,
      Path disk,
      String instance)
      throws IOException {
    this.cluster = cluster;
    String name = "file-" + layout.transferBytes();
    try {
      for (Path directory : mounts.directories()) {
        add(layout, directory, name + "-" + ways.size());
      }
      IorTarget client = new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(instance), "/" + name);
      ways.add(new Way(MountBenchmark.run(layout, client), null));
      add(layout, disk, name);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void add(IorLayout layout, Path directory, String name) throws IOException {
    IorTarget target = new IorTarget(IorTarget.Api.POSIX, directory.toString(), name);
    ways.add(new Way(MountBenchmark.run(layout, target), directory.resolve(name)));
  }

  /** The measurements of each way. */
  List<List<Seconds>> measure(MountBenchmark.Scale scale) throws IOException, InterruptedException {
    List<Rounds.Trial<Seconds>> trials = new ArrayList<>();
    for (Way way : ways) trials.add(() -> measure(way));
    return Rounds.run(scale.rounds(), scale.warmUps(), trials);
  }

  private Seconds measure(Way way) throws IOException, InterruptedException {
    double write = way.run.write().totalSeconds();
    if (way.file != null) FilePages.forget(way.file);
    double read = way.run.read().totalSeconds();
    way.run.deleteFiles();
    cluster.awaitEmpty();
    return new Seconds(write, read);
  }

  @Override
  public void close() throws IOException {
    for (Way way : ways) way.run.close();
  }
}
