// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Rounds;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorOption;
import io.forebay.bench.ior.IorPlan;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.transfer.Cost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What programs see: each client writes a file of its own from its beginning, forces, reads it. */
final class FileHops {
  /** Writes and reads of the same files. */
  record Measured(Hop write, Hop read) {
    List<Hop> all() {
      return List.of(write, read);
    }
  }

  /** A round: what was written is read. */
  private record Costs(Cost write, Cost read) {}

  /** The servers of a target. */
  interface Servers {
    /** The processor time they have used so far; 0 if it is not known. */
    long cpuNanos() throws IOException;

    /** Waits until they have removed what was deleted. */
    void awaitEmpty() throws IOException, InterruptedException;
  }

  /** A target without servers, or whose servers are not here. */
  static final Servers UNKNOWN =
      new Servers() {
        @Override
        public long cpuNanos() {
          return 0;
        }

        @Override
        public void awaitEmpty() {
          // What a running ring has deleted is its own affair.
        }
      };

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final PathScale scale;
  private final IorLayout layout;

  FileHops(PathScale scale, int transferBytes, int clients, long seed) {
    this.scale = scale;
    long transfers = scale.messages(transferBytes, clients);
    this.layout =
        new IorLayout(clients, transfers * transferBytes, transferBytes, 1, true, false, seed);
  }

  long bytes() {
    return layout.totalBytes();
  }

  Measured measure(String name, IorTarget target, Servers servers)
      throws IOException, InterruptedException {
    List<Costs> costs;
    try (IorRun run = IorRun.ofThreads(IorPlan.once(layout, IorOption.FSYNC), target)) {
      List<Rounds.Trial<Costs>> trials = List.of(() -> round(run, servers));
      costs = Rounds.run(scale.rounds(), scale.warmUps(), trials).getFirst();
    }
    return new Measured(
        new Hop(name + ": write x" + layout.tasks(), costs.stream().map(Costs::write).toList()),
        new Hop(name + ": read x" + layout.tasks(), costs.stream().map(Costs::read).toList()));
  }

  private Costs round(IorRun run, Servers servers) throws IOException, InterruptedException {
    Cost write = cost(servers, () -> run.write().totalSeconds());
    Cost read = cost(servers, () -> run.read().totalSeconds());
    run.deleteFiles();
    servers.awaitEmpty();
    return new Costs(write, read);
  }

  private interface Phase {
    double seconds() throws IOException, InterruptedException;
  }

  private Cost cost(Servers servers, Phase phase) throws IOException, InterruptedException {
    long before = CpuTime.nanos() + servers.cpuNanos();
    double seconds = phase.seconds();
    long cpu = CpuTime.nanos() + servers.cpuNanos() - before;
    return new Cost(layout.totalBytes(), (long) (seconds * NANOS_PER_SECOND), cpu);
  }
}
