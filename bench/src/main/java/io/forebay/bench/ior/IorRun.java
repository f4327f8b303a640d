// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.ior.file.TestFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a plan against a target: each iteration writes, checks, reads and checks, as requested, and
 * removes its files. All tasks begin each of these together.
 */
public final class IorRun implements AutoCloseable {
  /** Called when an iteration's files are gone, before the next one. */
  public interface Between {
    void iterationEnded() throws IOException, InterruptedException;
  }

  private final IorPlan plan;
  private final IorTarget target;
  private final Crew crew;
  private final TestFiles files;

  private IorRun(IorPlan plan, IorTarget target, Crew crew) throws IOException {
    this.plan = plan;
    this.target = target;
    this.crew = crew;
    try {
      this.files = target.connect();
    } catch (IOException e) {
      crew.close();
      throw e;
    }
  }

  /** With tasks that are threads of this process. */
  public static IorRun ofThreads(IorPlan plan, IorTarget target) throws IOException {
    return new IorRun(plan, target, new ThreadCrew(plan, target));
  }

  /**
   * With tasks that are processes.
   *
   * @param directory where their temporary files go
   */
  public static IorRun ofProcesses(IorPlan plan, IorTarget target, Path directory)
      throws IOException {
    return new IorRun(plan, target, new ProcessCrew(plan, target, directory));
  }

  /** Runs all iterations. On any failure its files are removed. */
  public IorOutcome run(Between between, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    boolean writes = plan.has(IorOption.WRITE);
    if (writes && !plan.has(IorOption.EXISTING)) requireNoFiles();
    List<Measurement> measurements = new ArrayList<>();
    long wrong = 0;
    for (int iteration = 0; iteration < plan.iterations(); iteration++) {
      if (iteration > 0) TimeUnit.SECONDS.sleep(plan.delaySeconds());
      boolean keeps = plan.has(IorOption.KEEP) && iteration == plan.iterations() - 1;
      boolean ended = false;
      try {
        wrong += iterate(iteration, measurements, progress);
        ended = true;
      } finally {
        if (writes && !(keeps && ended)) deleteFiles();
      }
      between.iterationEnded();
    }
    return new IorOutcome(plan, measurements, wrong);
  }

  /** Writes once and leaves the files there. */
  public Measurement write() throws IOException, InterruptedException {
    return once(new Phase(Phase.Kind.WRITE, 0));
  }

  /** Reads existing files once, each task its own part, or the next task's with {@code -C}. */
  public Measurement read() throws IOException, InterruptedException {
    return once(new Phase(Phase.Kind.READ, plan.has(IorOption.REORDER) ? 1 : 0));
  }

  private Measurement once(Phase phase) throws IOException, InterruptedException {
    return Measurement.of(plan.layout(), phase.kind(), 0, crew.run(phase));
  }

  private long iterate(int iteration, List<Measurement> measurements, Progress progress)
      throws IOException, InterruptedException {
    long wrong = 0;
    for (Phase phase : plan.phases()) {
      List<RankTimes> times = crew.run(phase);
      for (RankTimes each : times) wrong += each.wrong();
      if (phase.kind() == Phase.Kind.CHECK) continue;
      measurements.add(Measurement.of(plan.layout(), phase.kind(), iteration, times));
      progress.measuring(measurements.getLast().access() + ", iteration " + iteration);
    }
    return wrong;
  }

  private void requireNoFiles() throws IOException, BenchmarkImpossible {
    for (int i = 0; i < plan.layout().files(); i++) {
      String file = plan.layout().file(target.testFile(), i);
      if (files.exists(file)) {
        throw new BenchmarkImpossible(
            "'%s' exists; name another with -o, or overwrite and then remove it with -E"
                .formatted(file));
      }
    }
  }

  /** Removes the files that a run of this plan makes. */
  public void deleteFiles() throws IOException {
    for (int i = 0; i < plan.layout().files(); i++) {
      files.delete(plan.layout().file(target.testFile(), i));
    }
  }

  @Override
  public void close() throws IOException {
    try (files) {
      crew.close();
    }
  }
}
