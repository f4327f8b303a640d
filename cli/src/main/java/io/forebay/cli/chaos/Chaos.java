// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.base.MonotonicClock;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs writers while processes are killed, stopped and restarted, one at a time, and servers join
 * and leave. One thread uses it; the writers have their own.
 */
public final class Chaos {
  private static final int WRITERS = 4;
  private static final int CALM_MILLIS_MAX = 1200;
  private static final int AWAY_MILLIS_MIN = 100;

  /** The faults of a ring. */
  public enum Fault {
    KILL("kills", "kills", 78),
    PAUSE("pauses", "pauses", 9),
    DISK_FULL("disks full", "disksFull", 5),
    MANAGER_KILL("kills of the manager", "managerKills", 4),
    JOIN("joins", "joins", 4),
    LEAVE("leaves", "leaves", 0);

    /** The plural of the fault, for people and for programs. */
    public final String words;

    public final String key;

    private final int percent;

    Fault(String words, String key, int percent) {
      this.words = words;
      this.key = key;
      this.percent = percent;
    }
  }

  /**
   * The result.
   *
   * @param longestSeconds for each fault and writer the longest operation during the fault, in
   *     order of length
   */
  public record Result(
      Map<Fault, Integer> faults,
      long operations,
      long failedOperations,
      List<Double> longestSeconds,
      long acknowledgedBytes,
      long verifiedBytes,
      long lostBytes,
      long wrongBytes) {
    public Result {
      faults = Collections.unmodifiableMap(new EnumMap<>(faults));
      longestSeconds = longestSeconds.stream().sorted().toList();
    }

    public boolean sound() {
      return lostBytes == 0 && wrongBytes == 0;
    }

    /** The given quantile of the longest waits of writers; 0 without faults. */
    public double waitSeconds(double part) {
      if (longestSeconds.isEmpty()) return 0;
      return longestSeconds.get((int) Math.ceil(part * longestSeconds.size()) - 1);
    }
  }

  /** Decides before each fault whether there is another one, given the faults so far. */
  public interface Schedule {
    boolean another(int faults, int kills);
  }

  private final LocalRing ring;
  private final @Nullable SmallDisks disks;
  private final int servers;
  private final int awayMillisMax;
  private final SplittableRandom random;
  private final Tally tally = new Tally();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private final List<String> joined = new ArrayList<>();
  private int lastServer;
  private final List<Long> faultNanos = new ArrayList<>();
  private final MonotonicClock clock = MonotonicClock.system();

  /**
   * On a ring that serves.
   *
   * @param disks null if disks are not to be filled
   * @param awayMillisMax how long a process stays away at most
   */
  public Chaos(
      LocalRing ring, @Nullable SmallDisks disks, int servers, int awayMillisMax, long seed) {
    this.ring = ring;
    this.disks = disks;
    this.servers = servers;
    this.awayMillisMax = awayMillisMax;
    this.lastServer = servers;
    this.random = new SplittableRandom(seed);
  }

  /** Runs as scheduled, then compares everything. */
  public Result run(Schedule schedule) throws IOException, StartFailed, InterruptedException {
    List<ChaosWriter> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new ChaosWriter("writer-" + i, ring.uri(), random.nextLong(), tally));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Void>> working = new ArrayList<>();
      for (ChaosWriter writer : writers) {
        working.add(
            threads.submit(
                () -> {
                  writer.work(ending::get);
                  return null;
                }));
      }
      try {
        while (schedule.another(faultNanos.size(), faults.getOrDefault(Fault.KILL, 0))) fault();
      } finally {
        ending.set(true);
      }
      for (Future<Void> each : working) await(each);
      ring.awaitServing();
      List<Callable<Void>> checks = new ArrayList<>();
      for (ChaosWriter writer : writers) {
        checks.add(
            () -> {
              writer.checkAll();
              return null;
            });
      }
      for (Future<Void> each : threads.invokeAll(checks)) await(each);
    }
    return new Result(
        faults,
        tally.operations.get(),
        tally.failedOperations.get(),
        longestSeconds(writers),
        tally.acknowledgedBytes.get(),
        tally.verifiedBytes.get(),
        tally.lostBytes.get(),
        tally.wrongBytes.get());
  }

  private List<Double> longestSeconds(List<ChaosWriter> writers) {
    List<Double> longest = new ArrayList<>();
    for (int i = 0; i < faultNanos.size(); i++) {
      long endNanos = i + 1 < faultNanos.size() ? faultNanos.get(i + 1) : clock.nanos();
      for (ChaosWriter writer : writers) {
        longest.add(writer.slow().longestSeconds(faultNanos.get(i), endNanos));
      }
    }
    return longest;
  }

  private static void await(Future<Void> work) throws IOException, InterruptedException {
    try {
      work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) throw failed;
      throw new IllegalStateException("a writer has ended by an error", e.getCause());
    }
  }

  /** Waits for a while, then stops or kills one process, and brings it back. */
  private void fault() throws IOException, InterruptedException {
    Thread.sleep(random.nextInt(CALM_MILLIS_MAX));
    String victim = victim();
    Fault fault = chosen(random.nextInt(100));
    faults.merge(fault, 1, Integer::sum);
    faultNanos.add(clock.nanos());
    switch (fault) {
      case KILL -> {
        ring.kill(victim);
        away();
        ring.comeBack(victim);
      }
      case PAUSE -> {
        ring.pause(victim);
        away();
        ring.resume(victim);
      }
      case DISK_FULL -> {
        if (disks == null) throw new IllegalStateException("no disks of their own");
        String full = LocalRing.name(random.nextInt(servers));
        disks.fill(full);
        away();
        disks.empty(full);
      }
      case MANAGER_KILL -> {
        ring.kill(LocalRing.MANAGER);
        away();
        ring.startManager();
      }
      case JOIN -> {
        String name = LocalRing.name(lastServer++);
        ring.join(name);
        joined.add(name);
      }
      case LEAVE -> ring.leave(joined.removeFirst());
    }
    ring.requireAlive();
  }

  private String victim() {
    int chosen = random.nextInt(servers + joined.size());
    return chosen < servers ? LocalRing.name(chosen) : joined.get(chosen - servers);
  }

  private Fault chosen(int percent) {
    int below = 0;
    for (Fault fault : Fault.values()) {
      below += fault.percent;
      if (percent >= below) continue;
      if (fault == Fault.DISK_FULL && disks == null) return Fault.KILL;
      return fault == Fault.JOIN && !joined.isEmpty() ? Fault.LEAVE : fault;
    }
    throw new IllegalStateException("faults make up " + below + " %");
  }

  private void away() throws InterruptedException {
    Thread.sleep(AWAY_MILLIS_MIN + random.nextInt(Math.max(1, awayMillisMax - AWAY_MILLIS_MIN)));
  }
}
