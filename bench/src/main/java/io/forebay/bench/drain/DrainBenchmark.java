// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.backing.slow.SlowStore;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The cost of planning a drain, the drain rate of a ring, the bandwidth that is left to writers,
 * and the read rate of a restart. docs/benchmarks.md explains the results.
 */
public final class DrainBenchmark implements Benchmark {
  /** The parts that can be measured separately. */
  public enum Part {
    PLAN,
    RATE,
    WRITES,
    INGEST,
    RESTART,
    /** Only on request: it takes a minute. */
    SMALL
  }

  /** The default parts. */
  public static final Set<Part> USUAL =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Part.SMALL)));

  private static final int ROOM_FACTOR = 8;

  private final Set<Part> parts;
  private final long largeBytes;

  /** Everything but the very large drain. */
  public DrainBenchmark() {
    this(USUAL, 0);
  }

  /**
   * Some of it.
   *
   * @param largeBytes how much is drained in little memory; 0 for no such drain
   */
  public DrainBenchmark(Set<Part> parts, long largeBytes) {
    this.parts = Set.copyOf(parts);
    this.largeBytes = largeBytes;
  }

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? DrainScale.quick() : DrainScale.full(), options, progress);
  }

  Outcome run(DrainScale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    List<Result> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    if (parts.contains(Part.PLAN)) {
      results.addAll(new PlanningCosts(scale, options.seed(), progress).measure());
      results.addAll(PlannedWrites.measure(progress));
    }
    boolean drains = largeBytes > 0 || !parts.equals(Set.of(Part.PLAN));
    if (drains) drain(scale, options, progress, results, notes);
    return new Outcome(results, notes);
  }

  private void drain(
      DrainScale scale,
      Options options,
      Progress progress,
      List<Result> results,
      List<String> notes)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long room = ROOM_FACTOR * Math.max(scale.ingestBytes(), scale.deviceBytes());
    long device = room + (largeBytes > 0 ? LargeDrain.deviceBytes(largeBytes) : 0);
    long memory = room + (largeBytes > 0 ? LargeDrain.memoryBytes() : 0);
    try (Scratch scratch = new Scratch(options.directory(), device, memory)) {
      notes.addAll(scratch.notes());
      notes.add(SlowStore.LABEL);
      DrainGround ground = DrainGround.make(scale, scratch, options.seed(), progress);
      if (parts.contains(Part.RATE)) results.addAll(new DrainRates(ground).measure());
      if (parts.contains(Part.WRITES)) results.addAll(new BackingWrites(ground).measure());
      if (parts.contains(Part.INGEST)) results.addAll(new IngestMeanwhile(ground).measure());
      if (parts.contains(Part.RESTART)) results.addAll(new RestartReads(ground).measure());
      if (parts.contains(Part.SMALL)) results.addAll(new SmallFiles(ground).measure());
      if (largeBytes > 0) results.addAll(new LargeDrain(ground, largeBytes).measure());
    }
  }
}
