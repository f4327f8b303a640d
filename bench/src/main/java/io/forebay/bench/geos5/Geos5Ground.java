// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Scratch;
import io.forebay.bench.geos5.output.BundlePattern;
import io.forebay.bench.geos5.output.StepTimes;
import io.forebay.bench.geos5.output.Way;
import io.forebay.bench.netcdf.NetcdfGround;
import io.forebay.bench.netcdf.PnetcdfProgram;
import io.forebay.bench.netcdf.pattern.Pattern;
import io.forebay.bench.process.ServedCluster;
import io.forebay.client.InstanceOptions;
import io.forebay.netcdf.store.FileNames;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The directories, the ring and the compiled program that trials use. One thread. */
final class Geos5Ground implements AutoCloseable {
  private static final String INSTANCE = "bundles";
  private static final int SETTLE_PIECE_BYTES = 1 << 20;

  private final Scratch scratch;
  private final Map<Geos5Store, String> places = new EnumMap<>(Geos5Store.class);
  private final @Nullable ServedCluster cluster;
  private final Path work;
  private @Nullable PnetcdfProgram program;
  private int checks;

  private Geos5Ground(Scratch scratch, @Nullable ServedCluster cluster) throws IOException {
    this.scratch = scratch;
    this.cluster = cluster;
    work = scratch.onDevice("pnetcdf");
  }

  /**
   * Makes directories, and a ring if it is among the stores.
   *
   * @param bytes how much a trial writes
   */
  static Geos5Ground open(Scratch scratch, Set<Geos5Store> stores, long bytes) throws IOException {
    ServedCluster cluster =
        stores.contains(Geos5Store.RING)
            ? ServedCluster.start(NetcdfGround.shape(bytes), scratch.onDevice("ring"))
            : null;
    Geos5Ground ground = new Geos5Ground(scratch, cluster);
    try {
      for (Geos5Store store : stores) ground.places.put(store, ground.place(store));
      return ground;
    } catch (IOException e) {
      ground.close();
      throw e;
    }
  }

  private String place(Geos5Store store) throws IOException {
    return switch (store) {
      // In memory: the device's own speed does not matter here.
      case SLOW, MEMORY -> scratch.inMemory(store.word()) + "/";
      case DIRECTORY -> scratch.onDevice(store.word()) + "/";
      case RING -> {
        if (cluster == null) throw new IllegalStateException("no ring was started");
        InstanceOptions shared =
            InstanceOptions.defaults().withCopies(1).withAccess(Instance.Access.SHARED);
        cluster.create(INSTANCE, shared);
        yield cluster.uri(INSTANCE) + "/";
      }
    };
  }

  /** What stands in front of the names of files. */
  String placeOf(Geos5Store store) {
    String place = places.get(store);
    if (place == null) throw new IllegalStateException("nothing was made for " + store);
    return place;
  }

  /** Compiles the program with the C library, or says why that is not possible. */
  String compile() throws IOException {
    try {
      program = PnetcdfProgram.compile(work);
      return "";
    } catch (BenchmarkImpossible missing) {
      return String.valueOf(missing.getMessage());
    }
  }

  boolean hasProgram() {
    return program != null;
  }

  /**
   * Writes and removes as many bytes as a trial will, in large calls. Without that, a trial to a
   * directory just after one of small calls took more than twice as long.
   */
  void settle(Geos5Trial trial) throws IOException {
    if (trial.store() == Geos5Store.RING) return;
    Path file = Path.of(trial.place()).resolve("settle");
    ByteBuffer piece = ByteBuffer.allocateDirect(SETTLE_PIECE_BYTES);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (channel.position() < trial.workload().totalBytes()) {
        piece.clear();
        while (piece.hasRemaining()) channel.write(piece);
      }
    }
    Files.delete(file);
  }

  /** Runs one trial. Its files stay. */
  TrialTimes measure(Geos5Crew crew, int ranks, Geos5Trial trial) throws IOException {
    return trial.way() == Way.GEOS5_PNETCDF_C
        ? byProgram(trial.workload().pattern(ranks), trial)
        : crew.measure(trial);
  }

  /** The program has no breakdown by steps. */
  private TrialTimes byProgram(BundlePattern pattern, Geos5Trial trial) throws IOException {
    if (program == null) throw new IllegalStateException("the C library is missing");
    String name = "script-%d-%d".formatted(pattern.ranks(), pattern.steps());
    PnetcdfProgram.Times times =
        program.write(pattern, work.resolve(name), Path.of(trial.place()), null);
    long rest = times.totalNanos() - times.createNanos();
    return new TrialTimes(
        0, List.of(StepTimes.communicating(times.totalNanos(), times.createNanos(), rest)));
  }

  /** Keeps the files of a trial, to compare others with them. */
  ContentCheck keep(int ranks, Geos5Trial trial) throws IOException {
    Path kept = scratch.onDevice("kept-" + checks++);
    return new ContentCheck(kept, trial.place(), names(ranks, trial));
  }

  /** Removes the files of a trial. */
  void clear(int ranks, Geos5Trial trial) throws IOException, InterruptedException {
    for (String name : names(ranks, trial)) Files.delete(FileNames.parse(trial.place() + name));
    if (cluster != null && trial.store() == Geos5Store.RING) cluster.awaitEmpty();
  }

  private static List<String> names(int ranks, Geos5Trial trial) {
    return trial.workload().pattern(ranks).files().stream().map(Pattern.Shape::name).toList();
  }

  @Override
  public void close() throws IOException {
    if (cluster != null) cluster.close();
  }
}
