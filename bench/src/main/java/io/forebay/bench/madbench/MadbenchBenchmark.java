// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.madbench;

import io.forebay.backing.slow.SlowStore;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.profile.CountedFiles;
import io.forebay.client.InstanceOptions;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.client.profile.page.Sentences;
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * MADbench2 with a shared file and with one for each rank, on an instance of two servers with two
 * copies and on a directory as slow as the slow profile, in turn; the profile of each run, next to
 * what the paper found.
 */
public final class MadbenchBenchmark implements Benchmark {
  private static final String INSTANCE = "madbench";
  private static final String SLOW = "slow store";
  private static final int SERVERS = 2;
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final long SPARE_BYTES = 128L << 20;
  private static final double MIB = 1 << 20;

  private static final List<String> PAPER =
      List.of(
          "the paper (Lang et al., 4.4.2): 65,536 processes with RMOD and WMOD 1, one shared file,"
              + " large contiguous reads and writes of about 20 MiB: 45 GiB/s written and 27 GiB/s"
              + " read. Barriers separate reads from writes, so that the caches of the storage are"
              + " flushed during reads; reads have no such help",
          "the paper: with the block size of 4,096 that MADbench2 has by default many reads were"
              + " not aligned to stripes, and were between aligned and unaligned ones in IOR");

  private final @Nullable MadbenchOptions chosen;

  /** Measures with these parameters, or with the usual ones. */
  public MadbenchBenchmark(@Nullable MadbenchOptions chosen) {
    this.chosen = chosen;
  }

  private record Way(String files, String storage, CountedFiles counted, MadbenchRun run) {}

  @Override
  public String name() {
    return "madbench";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    MadbenchOptions parameters = chosen == null ? MadbenchOptions.usual(options.quick()) : chosen;
    // The W phase writes everything again while the former bytes are still being removed.
    long memoryBytes = 3 * parameters.fileBytes() + SPARE_BYTES;
    ServedCluster.Shape shape =
        new ServedCluster.Shape(SERVERS, 1, memoryBytes, memoryBytes, SEGMENT_BYTES);
    try (Scratch scratch =
            new Scratch(
                options.directory(),
                SERVERS * memoryBytes,
                SERVERS * memoryBytes + parameters.fileBytes());
        ServedCluster cluster = ServedCluster.start(shape, scratch.onDevice("ring"))) {
      cluster.create(INSTANCE, InstanceOptions.defaults().withCopies(2));
      List<Way> ways = new ArrayList<>();
      String store = scratch.inMemory("store").toString();
      for (boolean shared : List.of(true, false)) {
        IorTarget ring = new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(INSTANCE), "");
        ways.add(way(parameters, shared, "Forebay", ring));
        ways.add(way(parameters, shared, SLOW, new IorTarget(IorTarget.Api.SLOW, store, "")));
      }
      progress.measuring("S, W and C phases of " + parameters.ranks() + " ranks");
      List<List<MadbenchRun.Seconds>> measured =
          Rounds.run(Rounds.COUNT_MIN, options.quick() ? 0 : 1, trials(ways, cluster));
      List<Result> results = new ArrayList<>();
      for (int i = 0; i < ways.size(); i += 2) {
        results.addAll(results(parameters, ways.get(i).files, measured.subList(i, i + 2)));
      }
      List<String> notes = new ArrayList<>(scratch.notes());
      notes.addAll(notes(parameters, ways));
      return new Outcome(results, notes);
    }
  }

  private static Way way(
      MadbenchOptions parameters, boolean shared, String storage, IorTarget target) {
    CountedFiles counted = new CountedFiles("madbench", PlacementSpec.STRIPE_BYTES_DEFAULT);
    String prefix = target.api() == IorTarget.Api.FOREBAY ? "/" : "";
    return new Way(
        shared ? "shared" : "unique",
        storage,
        counted,
        new MadbenchRun(parameters, shared, prefix, rank -> counted.of(rank, target.connect())));
  }

  private static List<Rounds.Trial<MadbenchRun.Seconds>> trials(
      List<Way> ways, ServedCluster cluster) {
    List<Rounds.Trial<MadbenchRun.Seconds>> trials = new ArrayList<>();
    for (Way way : ways) {
      trials.add(
          () -> {
            MadbenchRun.Seconds seconds = way.run.run();
            cluster.awaitEmpty();
            return seconds;
          });
    }
    return trials;
  }

  private static List<Result> results(
      MadbenchOptions parameters, String files, List<List<MadbenchRun.Seconds>> both) {
    return List.of(
        result(parameters, files + " S write", both, MadbenchRun.Seconds::writeS),
        result(parameters, files + " W read", both, MadbenchRun.Seconds::readW),
        result(parameters, files + " W write", both, MadbenchRun.Seconds::writeW),
        result(parameters, files + " C read", both, MadbenchRun.Seconds::readC));
  }

  private static Result result(
      MadbenchOptions parameters,
      String name,
      List<List<MadbenchRun.Seconds>> both,
      ToDoubleFunction<MadbenchRun.Seconds> seconds) {
    double mib = parameters.totalBytes() / MIB;
    return Result.of(
            name,
            Rate.MIB_PER_SECOND,
            Better.HIGHER,
            Samples.of(both.get(0), each -> mib / seconds.applyAsDouble(each)))
        .against(SLOW, Samples.of(both.get(1), each -> mib / seconds.applyAsDouble(each)));
  }

  private static List<String> notes(MadbenchOptions parameters, List<Way> ways) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "%d ranks as threads, NPIX %d, %d bins of %,d bytes for each rank, RMOD %d, WMOD %d, blocks of %,d; each write is forced; %s: a directory in memory with the %s"
            .formatted(
                parameters.ranks(),
                parameters.pixels(),
                parameters.bins(),
                parameters.partBytes(),
                parameters.readModulus(),
                parameters.writeModulus(),
                parameters.blockBytes(),
                SLOW,
                SlowStore.LABEL));
    for (Way way : ways) {
      ProgramProfile profile = way.counted.profile();
      List<String> words = Sentences.of(profile);
      notes.add(
          "profile, %s, %s: %s"
              .formatted(way.files, way.storage, String.join(" ", words.subList(1, words.size()))));
    }
    notes.addAll(PAPER);
    return notes;
  }
}
