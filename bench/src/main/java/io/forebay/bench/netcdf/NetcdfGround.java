// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.Scratch;
import io.forebay.bench.netcdf.crew.Crew;
import io.forebay.bench.netcdf.crew.Measured;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Trial;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.bench.netcdf.mode.ModeFiles;
import io.forebay.bench.netcdf.pattern.Pattern;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directories, instances and ranks that trials use. One thread. */
public final class NetcdfGround implements AutoCloseable {
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final int SPARE_SEGMENTS = 12;
  private static final int SERVERS = 2;

  private final Path destination;
  private final Path fast;
  private final @Nullable Path device;
  private final Map<LogPlace, String> logs = new EnumMap<>(LogPlace.class);
  private final @Nullable ServedCluster cluster;
  private final Crew crew;

  private NetcdfGround(
      Path destination,
      Path fast,
      @Nullable Path device,
      @Nullable ServedCluster cluster,
      Crew crew) {
    this.destination = destination;
    this.fast = fast;
    this.device = device;
    this.cluster = cluster;
    this.crew = crew;
  }

  /**
   * Makes directories, and instances on a cluster if there is one, which belongs to this from now
   * on, as the ranks do.
   *
   * @param name what the directories' names begin with
   * @param device a directory on a device of its own, if there is one
   */
  public static NetcdfGround open(
      Scratch scratch,
      String name,
      Crew crew,
      @Nullable ServedCluster cluster,
      @Nullable Path device)
      throws IOException {
    // In memory: the device's own speed does not matter here.
    NetcdfGround ground =
        new NetcdfGround(
            scratch.inMemory(name + "-destination"),
            scratch.inMemory(name + "-fast"),
            device,
            cluster,
            crew);
    try {
      ground.logs.put(LogPlace.LOCAL, scratch.inMemory(name + "-logs").toString());
      if (cluster != null) {
        ground.create(cluster, LogPlace.SHARED, Instance.Access.SHARED);
        ground.create(cluster, LogPlace.PRIVATE, Instance.Access.PRIVATE);
      }
      return ground;
    } catch (IOException e) {
      ground.close();
      throw e;
    }
  }

  /** A cluster for logs of this many bytes. */
  public static ServedCluster.Shape shape(long bytes) {
    long memory = 2 * bytes + (long) SPARE_SEGMENTS * SEGMENT_BYTES;
    return new ServedCluster.Shape(SERVERS, 1, memory, memory, SEGMENT_BYTES);
  }

  private void create(ServedCluster served, LogPlace place, Instance.Access access)
      throws IOException {
    served.create(place.word(), InstanceOptions.defaults().withCopies(1).withAccess(access));
    logs.put(place, served.uri(place.word()) + "/");
  }

  /** Runs one trial and removes its files. */
  public Measured measure(
      Workload workload, Mode mode, Store store, LogPlace place, NetcdfOptions options)
      throws IOException, InterruptedException {
    Measured measured = write(workload, mode, store, place, options);
    empty(directory(store));
    if (cluster != null && place != LogPlace.LOCAL) cluster.awaitEmpty();
    return measured;
  }

  private Path directory(Store store) {
    return store == Store.DEVICE && device != null ? device : destination;
  }

  private Measured write(
      Workload workload, Mode mode, Store store, LogPlace place, NetcdfOptions options)
      throws IOException {
    String log = logs.get(place);
    if (log == null) throw new IllegalStateException("no place for logs: " + place);
    ModeFiles.Places places =
        new ModeFiles.Places(directory(store), fast, log, store == Store.DEVICE);
    int ranksPerNode = options.ranksPerNode() == 0 ? workload.ranks() : options.ranksPerNode();
    return crew.measure(
        new Trial(workload, mode, places, store, ranksPerNode, options.computeMillis()));
  }

  /** Writes the files of a workload and says whether others in a directory are the same. */
  String compare(Workload workload, Path theirs, NetcdfOptions options) throws IOException {
    write(workload, Mode.DIRECT, Store.FAST, LogPlace.LOCAL, options);
    List<String> names = workload.pattern().files().stream().map(Pattern.Shape::name).toList();
    String different = "";
    for (String name : names) {
      String what = SameContent.difference(destination.resolve(name), theirs.resolve(name));
      if (!what.isEmpty()) different = name + " differs from that of PnetCDF in " + what;
    }
    empty(destination);
    return different.isEmpty()
        ? "Files of PnetCDF and ours have the same content: " + String.join(", ", names) + "."
        : different + ".";
  }

  static void empty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) Files.delete(file);
    }
  }

  @Override
  public void close() throws IOException {
    try (crew) {
      if (cluster != null) cluster.close();
    }
  }
}
