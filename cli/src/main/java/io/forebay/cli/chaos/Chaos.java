package io.forebay.cli.chaos;

import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writers at work while processes are killed, stopped and started again, one at a time. One thread
 * uses it; the writers have their own.
 */
public final class Chaos {
  private static final int WRITERS = 4;
  private static final int CALM_MILLIS_MAX = 2500;
  private static final int AWAY_MILLIS_MAX = 5000;
  private static final int AWAY_MILLIS_MIN = 100;

  /** What came of it. */
  public record Result(
      int kills,
      int pauses,
      int managerKills,
      long operations,
      long failedOperations,
      long longestWaitNanos,
      long acknowledgedBytes,
      long verifiedBytes,
      long lostBytes,
      long wrongBytes) {
    public boolean sound() {
      return lostBytes == 0 && wrongBytes == 0;
    }
  }

  /** Asked before each fault whether another one shall come, and told how many there were. */
  public interface Schedule {
    boolean another(int faults);
  }

  private final LocalRing ring;
  private final int servers;
  private final SplittableRandom random;
  private final Tally tally = new Tally();
  private final AtomicBoolean ending = new AtomicBoolean();
  private int kills;
  private int pauses;
  private int managerKills;

  /** On a ring that serves. */
  public Chaos(LocalRing ring, int servers, long seed) {
    this.ring = ring;
    this.servers = servers;
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
        while (schedule.another(kills + pauses + managerKills)) fault();
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
        kills,
        pauses,
        managerKills,
        tally.operations.get(),
        tally.failedOperations.get(),
        tally.longestWaitNanos.get(),
        tally.acknowledgedBytes.get(),
        tally.verifiedBytes.get(),
        tally.lostBytes.get(),
        tally.wrongBytes.get());
  }

  private static void await(Future<Void> work) throws IOException, InterruptedException {
    try {
      work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) throw failed;
      throw new IllegalStateException("a writer has ended by an error", e.getCause());
    }
  }

  /** Calm for a while, then one process is hit, and comes back. */
  private void fault() throws IOException, InterruptedException {
    Thread.sleep(random.nextInt(CALM_MILLIS_MAX));
    String victim = LocalRing.name(random.nextInt(servers));
    int choice = random.nextInt(100);
    if (choice < 60) {
      kills++;
      ring.kill(victim);
      away();
      ring.comeBack(victim);
    } else if (choice < 90) {
      pauses++;
      ring.pause(victim);
      away();
      ring.resume(victim);
    } else {
      managerKills++;
      ring.kill(LocalRing.MANAGER);
      away();
      ring.startManager();
    }
    ring.requireAlive();
  }

  private void away() throws InterruptedException {
    Thread.sleep(AWAY_MILLIS_MIN + random.nextInt(AWAY_MILLIS_MAX));
  }
}
