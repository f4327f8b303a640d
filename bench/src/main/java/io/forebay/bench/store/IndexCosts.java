// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Rounds.Trial;
import io.forebay.bench.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The cost of the indexes in memory and time, with growing numbers of entries. Times to add are
 * compared with those at the smallest count, and so are reads of plain memory. Lookups are compared
 * with such reads over as many bytes: the cost of a cache miss depends on the machine, the number
 * of misses on the index. Aims are for extents, at the largest count.
 */
final class IndexCosts {
  /** Warms the JIT up on small indexes only: large ones take long. */
  private static final int WARM_UPS = 4;

  private static final double BYTES_AIM = 64;
  private static final double FIND_AIM = 3;
  private static final double ADD_AIM = 2;

  /** How the results of one index are named. */
  private record Names(String add, String find, String entries) {}

  /** Bounds at the largest count; null where there is none. */
  private record Aims(@Nullable Double bytes, @Nullable Double add, @Nullable Double find) {}

  private final Scale scale;
  private final long seed;
  private final Progress progress;

  IndexCosts(Scale scale, long seed, Progress progress) {
    this.scale = scale;
    this.seed = seed;
    this.progress = progress;
  }

  List<Result> measure() throws IOException, InterruptedException {
    int operations = scale.indexOperations();
    List<Result> results = new ArrayList<>();
    HeapPages.keep();
    List<Samples> plain = plainReads();
    results.addAll(
        measure(
            new Names("append to", "lookup in", "ordered extents"),
            new Aims(BYTES_AIM, ADD_AIM, FIND_AIM),
            count -> new ExtentIndexTrial(count, operations, seed, false),
            plain));
    results.addAll(
        measure(
            new Names("insert in", "lookup in", "shuffled extents"),
            new Aims(BYTES_AIM, null, FIND_AIM),
            count -> new ExtentIndexTrial(count, operations, seed, true),
            plain));
    results.addAll(
        measure(
            new Names("put among", "find among", "records"),
            new Aims(null, null, null),
            count -> new RecordIndexTrial(count, operations, seed),
            plain));
    results.addAll(times("plain read in %s x " + PlainReadTrial.ENTRY_BYTES + " B", plain, null));
    return results;
  }

  private List<Result> measure(
      Names names, Aims aims, IntFunction<Trial<IndexCost>> trial, List<Samples> plain)
      throws IOException, InterruptedException {
    progress.measuring("index of " + names.entries);
    List<Trial<IndexCost>> trials = new ArrayList<>();
    for (int count : scale.indexCounts()) trials.add(trial.apply(count));
    List<List<IndexCost>> costs = rounds(trials);
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < costs.size(); i++) {
      String name = "size of " + power(i) + " " + names.entries;
      Samples bytes = Samples.of(costs.get(i), IndexCost::bytesEach);
      results.add(aimed(Result.of(name, "B", Better.LOWER, bytes), i, aims.bytes));
    }
    results.addAll(times(names.add + " %s " + names.entries, addNanos(costs), aims.add));
    List<Samples> finds = findNanos(costs);
    for (int i = 1; i < finds.size(); i++) {
      String name = names.find + " " + power(i) + " " + names.entries;
      Result result =
          Result.of(name, Rate.NANOS, Better.LOWER, finds.get(i))
              .against("plain read", plain.get(i));
      results.add(aimed(result, i, aims.find));
    }
    return results;
  }

  /** Reads of plain memory, for each count. */
  private List<Samples> plainReads() throws IOException, InterruptedException {
    progress.measuring("plain reads");
    List<Trial<Double>> trials = new ArrayList<>();
    for (int count : scale.indexCounts()) {
      trials.add(new PlainReadTrial(count, scale.indexOperations(), seed));
    }
    return rounds(trials).stream().map(each -> Samples.of(each, Double::doubleValue)).toList();
  }

  /** The trials must have the smallest index first. */
  private <T> List<List<T>> rounds(List<Trial<T>> trials) throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UPS; i++) trials.getFirst().measure();
    return Rounds.run(scale.rounds(), 0, trials);
  }

  private List<Result> times(String name, List<Samples> nanos, @Nullable Double aim) {
    List<Result> results = new ArrayList<>();
    for (int i = 1; i < nanos.size(); i++) {
      Result result =
          Result.of(name.formatted(power(i)), Rate.NANOS, Better.LOWER, nanos.get(i))
              .against("at " + power(0), nanos.get(0));
      results.add(aimed(result, i, aim));
    }
    return results;
  }

  private static List<Samples> addNanos(List<List<IndexCost>> costs) {
    return costs.stream().map(c -> Samples.of(c, IndexCost::addNanos)).toList();
  }

  private static List<Samples> findNanos(List<List<IndexCost>> costs) {
    return costs.stream().map(c -> Samples.of(c, IndexCost::findNanos)).toList();
  }

  private Result aimed(Result result, int i, @Nullable Double aim) {
    boolean largest = i == scale.indexCounts().size() - 1;
    return largest && aim != null ? result.aimingAt(aim) : result;
  }

  private String power(int i) {
    return "10^" + (int) Math.round(Math.log10(scale.indexCounts().get(i)));
  }
}
