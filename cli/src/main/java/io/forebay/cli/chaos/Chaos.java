// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.base.MonotonicClock;
import io.forebay.client.ForebayOptions;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingCertificates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** Of a round with certificates. */
  private static final int USUAL_FAULTS = 9;

  /** The faults of a ring. */
  public enum Fault {
    KILL("kills", "kills", 78),
    PAUSE("pauses", "pauses", 9),
    DISK_FULL("disks full", "disksFull", 5),
    MANAGER_KILL("kills of the manager", "managerKills", 4),
    JOIN("joins", "joins", 4),
    LEAVE("leaves", "leaves", 0),
    MANAGER_PAUSE("pauses of the manager that leads", "leaderPauses", 0),
    MANAGERS_KILL("kills of all managers", "allManagersKills", 0),
    MANAGER_LOSS("managers that lost their directory", "managersReplaced", 0),
    REVOKE("revocations", "revocations", 0),
    EXPIRE("expired certificates", "expiredCertificates", 0),
    RENEW_ALONE("renewals without the manager", "renewalsWithoutManager", 0);

    /** The plural of the fault, for people and for programs. */
    public final String words;

    public final String key;

    private final int percent;

    /** Whether only a ring with certificates has it. */
    public boolean isOfCertificates() {
      return this == REVOKE || this == EXPIRE || this == RENEW_ALONE;
    }

    /** Whether only a ring with several managers has it. */
    public boolean isOfSeveralManagers() {
      return this == MANAGER_PAUSE || this == MANAGERS_KILL || this == MANAGER_LOSS;
    }

    Fault(String words, String key, int percent) {
      this.words = words;
      this.key = key;
      this.percent = percent;
    }
  }

  /**
   * What happened to certificates.
   *
   * @param issued by tokens
   * @param outSeconds how long each revoked server took until it was out of the ring, in order of
   *     length
   */
  public record CertificateReport(int issued, int renewed, List<Double> outSeconds) {
    public CertificateReport {
      outSeconds = outSeconds.stream().sorted().toList();
    }

    /** The given quantile of them; 0 if no server was revoked. */
    public double outSeconds(double part) {
      return quantile(outSeconds, part);
    }
  }

  /**
   * What managers and servers showed of their maps.
   *
   * @param epochs how many there were maps of
   * @param conflicts which maps of one epoch differ, as sentences
   */
  public record MapReport(int epochs, List<String> conflicts) {
    public MapReport {
      conflicts = List.copyOf(conflicts);
    }
  }

  private static double quantile(List<Double> sorted, double part) {
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(part * sorted.size()) - 1);
  }

  /**
   * The result.
   *
   * @param longestSeconds for each fault and writer the longest operation during the fault, in
   *     order of length
   * @param certificates null for a ring without them
   */
  public record Result(
      Map<Fault, Integer> faults,
      long operations,
      long failedOperations,
      List<Double> longestSeconds,
      long acknowledgedBytes,
      long verifiedBytes,
      long lostBytes,
      long wrongBytes,
      MapReport maps,
      @Nullable CertificateReport certificates) {
    public Result {
      faults = Collections.unmodifiableMap(new EnumMap<>(faults));
      longestSeconds = longestSeconds.stream().sorted().toList();
    }

    public boolean sound() {
      return lostBytes == 0 && wrongBytes == 0 && maps.conflicts.isEmpty();
    }

    /** The given quantile of the longest waits of writers; 0 without faults. */
    public double waitSeconds(double part) {
      return quantile(longestSeconds, part);
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
  private final SeenMaps maps = new SeenMaps();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private final List<String> joined = new ArrayList<>();
  private final @Nullable CertificateFaults certificates;

  /** Faults of certificates that are still to come in this round. */
  private final List<Fault> due = new ArrayList<>();

  private int usualFaults;
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
    RingCertificates known = ring.certificates();
    this.certificates = known == null ? null : new CertificateFaults(ring, known, this::away);
  }

  /** Runs as scheduled, then compares everything. */
  public Result run(Schedule schedule) throws IOException, StartFailed, InterruptedException {
    List<ChaosWriter> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String name = "writer-" + i;
      ForebayOptions options = ring.clientOptions(name);
      writers.add(new ChaosWriter(name, ring.uri(), options, random.nextLong(), tally));
    }
    MapWatch watch = new MapWatch(ring, maps);
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1)) {
      List<Future<Void>> working = new ArrayList<>();
      for (ChaosWriter writer : writers) {
        working.add(
            threads.submit(
                () -> {
                  writer.work(ending::get);
                  return null;
                }));
      }
      Future<?> watching = threads.submit(watch);
      try {
        while (schedule.another(faultNanos.size(), faults.getOrDefault(Fault.KILL, 0))) fault();
      } finally {
        ending.set(true);
        watch.stop();
      }
      for (Future<Void> each : working) await(each);
      ring.awaitServing();
      ring.awaitManagers();
      await(watching);
      watch.lookOnce();
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
        tally.wrongBytes.get(),
        new MapReport(maps.epochs(), maps.conflicts()),
        certificates == null ? null : certificates.report());
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

  private static void await(Future<?> work) throws IOException, InterruptedException {
    try {
      work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) throw failed;
      throw new IllegalStateException("a thread has ended by an error", e.getCause());
    }
  }

  /** Waits for a while, then stops or kills one process, and brings it back. */
  private void fault() throws IOException, InterruptedException {
    Thread.sleep(random.nextInt(CALM_MILLIS_MAX));
    String victim = victim();
    Fault fault = next();
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
        String leader = leader();
        ring.kill(leader);
        away();
        ring.startManager(leader);
      }
      case MANAGER_PAUSE -> {
        String leader = leader();
        ring.pause(leader);
        away();
        ring.resume(leader);
      }
      case MANAGERS_KILL -> {
        ring.managerNames().forEach(ring::kill);
        away();
        for (String each : ring.managerNames()) ring.startManager(each);
      }
      case MANAGER_LOSS -> {
        // A majority must have the log: the one before this must have caught up.
        ring.awaitManagers();
        String lost = LocalRing.managerName(1 + random.nextInt(managers() - 1));
        ring.kill(lost);
        away();
        ring.loseManager(lost);
        ring.startManager(lost);
        ring.awaitManagers();
      }
      case JOIN -> {
        String name = LocalRing.name(lastServer++);
        ring.join(name);
        joined.add(name);
      }
      case LEAVE -> ring.leave(joined.removeFirst());
      case REVOKE -> ofCertificates().revoke(victim);
      case EXPIRE -> ofCertificates().expire(serverNames());
      case RENEW_ALONE -> ofCertificates().renewWithoutManager(serverNames());
    }
    ring.requireAlive();
    if (certificates != null) certificates.requireValid(serverNames());
  }

  private int managers() {
    return ring.managerNames().size();
  }

  /** The manager that leads; the first one while none does. */
  private String leader() throws IOException {
    String leader = ring.leader();
    return leader == null ? LocalRing.MANAGER : leader;
  }

  private CertificateFaults ofCertificates() {
    if (certificates == null) throw new IllegalStateException("a ring without certificates");
    return certificates;
  }

  private List<String> serverNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < servers; i++) names.add(LocalRing.name(i));
    names.addAll(joined);
    return names;
  }

  /** With certificates, each round has every fault of these once, and then some usual ones. */
  private Fault next() {
    if (managers() > 1 && random.nextInt(2) == 0) return ofManagers();
    if (certificates == null) return chosen(random.nextInt(100));
    if (due.isEmpty() && usualFaults == 0) {
      due.addAll(Arrays.stream(Fault.values()).filter(Fault::isOfCertificates).toList());
      usualFaults = USUAL_FAULTS;
    }
    if (!due.isEmpty()) return due.remove(random.nextInt(due.size()));
    usualFaults--;
    return chosen(random.nextInt(100));
  }

  /** With several managers, every other fault is one of theirs. */
  private Fault ofManagers() {
    int percent = random.nextInt(100);
    if (percent < 60) return Fault.MANAGER_KILL;
    if (percent < 80) return Fault.MANAGER_PAUSE;
    return percent < 90 ? Fault.MANAGERS_KILL : Fault.MANAGER_LOSS;
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
