package io.forebay.bench.mount;

import io.forebay.bench.PageCache;
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

/** All ways to a file, open for transfers of one size. */
final class Ways implements AutoCloseable {
  /** Where the others are among the ways, after the mounts of each caching. */
  static final int PASS_THROUGH = Caching.values().length;

  static final int CLIENT = 2 * PASS_THROUGH;
  static final int DISK = CLIENT + 1;

  /** What one way gave. */
  record Seconds(double write, double read) {}

  private final ServedCluster cluster;
  private final PageCache pageCache = new PageCache();
  private final List<IorRun> runs = new ArrayList<>();

  Ways(
      IorLayout layout, MountedDirectories mounts, ServedCluster cluster, Path disk, String instance)
      throws IOException {
    this.cluster = cluster;
    String file = "file-" + layout.transferBytes();
    List<IorTarget> targets = new ArrayList<>();
    for (Path directory : mounts.directories()) {
      targets.add(posix(directory, file + "-" + targets.size()));
    }
    targets.add(new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(instance), "/" + file));
    targets.add(posix(disk, file));
    try {
      for (IorTarget target : targets) runs.add(MountBenchmark.run(layout, target));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static IorTarget posix(Path directory, String file) {
    return new IorTarget(IorTarget.Api.POSIX, directory.toString(), file);
  }

  /** The measurements of each way. */
  List<List<Seconds>> measure(MountBenchmark.Scale scale) throws IOException, InterruptedException {
    List<Rounds.Trial<Seconds>> trials = new ArrayList<>();
    for (IorRun run : runs) trials.add(() -> measure(run));
    return Rounds.run(scale.rounds(), scale.warmUps(), trials);
  }

  private Seconds measure(IorRun run) throws IOException, InterruptedException {
    double write = run.write().totalSeconds();
    pageCache.drop();
    double read = run.read().totalSeconds();
    run.deleteFiles();
    cluster.awaitEmpty();
    return new Seconds(write, read);
  }

  @Override
  public void close() throws IOException {
    for (IorRun run : runs) run.close();
  }
}
