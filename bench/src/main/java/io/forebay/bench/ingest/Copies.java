// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Ring;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The cost of copies and seats: 1 MiB pieces from one client to one, two and three seats that each
 * keep a copy, and to four seats that share the bytes.
 */
final class Copies {
  private static final String NAME = "copies";
  private static final int COPIES_MAX = 3;
  private static final int SEATS = 4;
  private static final List<Double> RATE_AIMS = List.of(0.85, 0.45, 0.28);
  private static final double CPU_AIM = 2.3;
  private static final double SEATS_CPU_AIM = 1.2;

  /** More than elsewhere: the processor time includes that of the JIT compilers. */
  private static final int WARM_UPS_TIMES = 4;

  private final Ground ground;
  private final Transfer transfer;

  Copies(Ground ground) {
    this.ground = ground;
    this.transfer = ground.scale().transfer(IngestScale.MIB);
  }

  List<Result> measure() throws IOException, InterruptedException {
    ground.progress().measuring("put 1MiB with 1, 2 and 3 copies, and to 4 seats");
    InstanceOptions options = InstanceOptions.defaults();
    // Hashing spreads bytes unevenly over seats.
    long shared = 2 * transfer.bytes() + (SEATS - 1) * ground.scale().memoryBytes(0);
    try (ServedCluster one = ground.inMemory(1, 1, transfer.bytes());
        ServedCluster two = ground.inMemory(2, 1, transfer.bytes());
        ServedCluster three = ground.inMemory(COPIES_MAX, 1, transfer.bytes());
        ServedCluster four = ground.inMemory(1, SEATS, shared);
        Ring ringOfOne = ground.ring(one, NAME, options.withCopies(1));
        Ring ringOfTwo = ground.ring(two, NAME, options.withCopies(2));
        Ring ringOfThree = ground.ring(three, NAME, options.withCopies(COPIES_MAX));
        Ring ringOfFour = ground.ring(four, NAME, options.withCopies(1))) {
      List<Rounds.Trial<Cost>> trials = new ArrayList<>();
      trials.add(() -> ground.barePut(transfer));
      for (Ring ring : List.of(ringOfOne, ringOfTwo, ringOfThree, ringOfFour)) {
        Supplier<ByteBuffer> payloads = ground.payloads(transfer.payloadBytes());
        trials.add(() -> ring.put(transfer, payloads));
      }
      int warmUps = WARM_UPS_TIMES * ground.scale().warmUps();
      return results(Rounds.run(ground.scale().rounds(), warmUps, trials));
    }
  }

  private static List<Result> results(List<List<Cost>> costs) {
    List<Cost> bare = costs.get(0);
    List<Result> results = new ArrayList<>();
    for (int copies = 1; copies <= COPIES_MAX; copies++) {
      String name = "put 1MiB k=" + copies + " replicated";
      results.add(
          rate(name, costs.get(copies))
              .against(Ground.BARE_PUT, Samples.of(bare, Cost::mibPerSecond))
              .aimingAt(RATE_AIMS.get(copies - 1)));
    }
    results.add(
        rate("put 1MiB k=1 to 4 seats", costs.get(COPIES_MAX + 1))
            .against(Ground.BARE_PUT, Samples.of(bare, Cost::mibPerSecond)));
    for (int copies = 1; copies <= COPIES_MAX; copies++) {
      Result result =
          cpu("CPU of put 1MiB k=" + copies, costs.get(copies))
              .against(Ground.BARE_PUT, Samples.of(bare, Cost::cpuSecondsPerGib));
      results.add(copies == 2 ? result.aimingAt(CPU_AIM) : result);
    }
    results.add(
        cpu("CPU of put 1MiB k=1 to 4 seats", costs.get(COPIES_MAX + 1))
            .against("to 1 seat", Samples.of(costs.get(1), Cost::cpuSecondsPerGib))
            .aimingAt(SEATS_CPU_AIM));
    return results;
  }

  private static Result rate(String name, List<Cost> costs) {
    return Result.of(
        name, Rate.MIB_PER_SECOND, Better.HIGHER, Samples.of(costs, Cost::mibPerSecond));
  }

  private static Result cpu(String name, List<Cost> costs) {
    return Result.of(name, Cost.CPU_UNIT, Better.LOWER, Samples.of(costs, Cost::cpuSecondsPerGib));
  }
}
