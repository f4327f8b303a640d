// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.simulation.agreement.AgreementAudit;
import io.forebay.simulation.agreement.RecoveryAudit;
import io.forebay.simulation.agreement.RetriedInstances;
import io.forebay.simulation.audit.AcknowledgementAudit;
import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.audit.BackingAudit;
import io.forebay.simulation.audit.CurrencyAudit;
import io.forebay.simulation.audit.EndAudit;
import io.forebay.simulation.audit.LockAudit;
import io.forebay.simulation.audit.Problem;
import io.forebay.simulation.audit.UseAudit;
import io.forebay.simulation.backing.SimulatedBackingStore;
import io.forebay.simulation.disturbance.Allocations;
import io.forebay.simulation.disturbance.BitFlips;
import io.forebay.simulation.disturbance.Disturber;
import io.forebay.simulation.disturbance.Growth;
import io.forebay.simulation.disturbance.Killer;
import io.forebay.simulation.disturbance.Recoveries;
import io.forebay.simulation.fault.FaultCounts;
import io.forebay.simulation.fault.FaultKind;
import io.forebay.simulation.fault.Trouble;
import io.forebay.simulation.history.History;
import io.forebay.simulation.history.Violation;
import io.forebay.simulation.history.check.HistoryChecker;
import io.forebay.simulation.user.EndingInstances;
import io.forebay.simulation.user.LockPlayers;
import io.forebay.simulation.user.LongWaits;
import io.forebay.simulation.user.Outsider;
import io.forebay.simulation.user.PutFiles;
import io.forebay.simulation.user.SimulatedUser;
import io.forebay.simulation.user.UnauthorizedUser;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One seed: a cluster, several users, and the violations in what they saw. */
public final class SimulationRun {
  private static final long SECOND = 1_000_000_000L;
  private static final String INSTANCE = "simulated";
  private static final String PROTECTION = "window=256KiB/3s,error";

  /** While there are faults, the only promise is some progress. */
  private static final long RUN_NANOS_MAX = 1800 * SECOND;

  /** How long after the last fault the cluster must serve everything again (I5). */
  private static final long HEAL_NANOS = 10 * SECOND;

  /** How long after that every member must be current again. */
  private static final long REPAIR_NANOS_MAX = 30 * SECOND;

  /**
   * After a restart that finds damaged records, copies must have replaced them within this time.
   */
  private static final long MENDED_NANOS_MAX = 60 * SECOND;

  /** How long after that every group must have all its copies. */
  private static final long COPIES_NANOS_MAX = 60 * SECOND;

  private static final int FAULTS_MIN = 8;

  /** How long after that everything must be in the backing store. */
  private static final long DRAIN_NANOS_MAX = 180 * SECOND;

  private static final String PACKS = ",pack=64KiB";
  private static final int PACK_BYTES_MAX = 256 * 1024;

  /** Drawn separately, so that existing seeds keep their meaning. */
  private static final long STORE = 0x73746f72_656b696eL;

  private static final long ALLOCATED = 0x6772_616e_756c_6573L;
  private static final long MADE = 0x6d61_6465_6f6e_6365L;
  private static final long LOCKS = 0x6c6f_636b_6564_2121L;

  private static final long RECOVERIES = 0x7265_636f_7665_7221L;
  private static final long ENDS = 0x656e_6469_6e67_2121L;
  private static final int CORRUPTING_ONE_IN = 3;

  /** The period of scenarios in which reads through to the store are cached in the buffer. */
  private static final int CACHING_ONE_IN = 3;

  private static final long CACHING_NANOS_MIN = 6 * SECOND;
  private static final long CACHING_NANOS_MAX = 12 * SECOND;

  private static final int SETTLED_EVERY = 64;

  /** The period of steps at which seats need room. */
  private static final int ROOM_ONE_IN = 2000;

  private static final long ROOM_BYTES = 1L << 30;

  /** The time for rare events, such as losses where members are hardly ever all current. */
  private static final long RARE_NANOS_MAX = 200 * SECOND;

  private static final long READ_BACK_NANOS_MAX = 30 * SECOND;

  /** For each file that was put whole: they are read one after the other, also from the store. */
  private static final long READ_BACK_FILE_NANOS_MAX = SECOND;

  /**
   * The outcome of a run.
   *
   * @param operations successful operations
   * @param failed failed operations
   * @param faults the number of faults by kind
   * @param problems empty if no rule was broken
   */
  public record Outcome(
      long seed,
      long operations,
      long failed,
      Map<FaultKind, Integer> faults,
      long simulatedNanos,
      long steps,
      long traceHash,
      List<Problem> problems) {
    /** All faults together. */
    public int faultCount() {
      return faults.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  private final WorldOptions options;
  private final int users;
  private final long seed;
  private final World world;
  private final SplittableRandom random;
  private final History history = new History();
  private final SimulatedUser.Values values = new SimulatedUser.Values();
  private final PutFiles putFiles = new PutFiles();
  private final List<SimulatedUser> all = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final List<Audit> audits = new ArrayList<>();
  private final AcknowledgementAudit acknowledgements;
  private final CurrencyAudit currency;
  private final BackingAudit stored;
  private final UseAudit uses;
  private final LongWaits waits;
  private final FaultCounts counts = new FaultCounts();
  private @Nullable Killer killer;
  private @Nullable Recoveries recoveries;
  private @Nullable Disturber disturber;
  private Set<Trouble> troubles = Set.of();
  private @Nullable Growth growth;
  private @Nullable Allocations allocations;
  private @Nullable RetriedInstances made;
  private @Nullable LockAudit locks;
  private @Nullable LockPlayers players;
  private @Nullable EndAudit ends;
  private @Nullable EndingInstances ending;
  private @Nullable UnauthorizedUser stranger;
  private @Nullable Outsider outsider;
  private String whenDegraded = "continue";
  private DrainSpec drain = DrainSpec.NONE;
  private String protection = "";
  private boolean punching;
  private int instance;
  private int damaged;
  private long nextRoomNanos;

  public SimulationRun(WorldOptions options, int users, long seed) {
    this.options = options;
    this.users = users;
    this.seed = seed;
    this.world = new World(options, seed);
    this.random = new SplittableRandom(seed ^ 0x5deece66dL);
    StandardAudits standard = StandardAudits.of(world);
    this.acknowledgements = standard.acknowledgements();
    this.currency = standard.currency();
    this.stored = standard.stored();
    this.uses = standard.uses();
    audits.addAll(standard.all());
    if (options.managers() > 1) {
      AgreementAudit agreement = new AgreementAudit(world);
      audits.add(agreement);
      made = new RetriedInstances(world, agreement, new SplittableRandom(seed ^ MADE));
    }
    this.waits = new LongWaits(world::nanos, this::heal);
  }

  public World world() {
    return world;
  }

  /** Processes are killed at random, and restarted. */
  public SimulationRun withKills() {
    killer = new Killer(world, this::alive, counts, random.split());
    return this;
  }

  /** Seats are also silent long enough for others to replace them. */
  public SimulationRun withSilence() {
    if (killer == null) throw new IllegalStateException("without kills");
    killer.alsoForLong();
    return this;
  }

  /** Hosts are also partitioned from each other for a while. */
  public SimulationRun withPartitions() {
    if (killer == null) throw new IllegalStateException("without kills");
    killer.alsoPart();
    return this;
  }

  /** Machines also lose unforced data, one at a time. */
  public SimulationRun withLosses() {
    if (killer == null) throw new IllegalStateException("without kills");
    killer.alsoLose();
    return this;
  }

  /** All machines also lose power at once. */
  public SimulationRun withPowerCuts() {
    if (killer == null) throw new IllegalStateException("without kills");
    killer.alsoCutPower();
    return this;
  }

  /** The manager also loses its log, and is brought back from the seats' maps. */
  public SimulationRun withRecoveries() {
    if (killer == null) throw new IllegalStateException("without kills");
    audits.add(new RecoveryAudit(world));
    recoveries = new Recoveries(world, counts, new SplittableRandom(seed ^ RECOVERIES));
    killer.alsoLoseLogs(recoveries);
    return this;
  }

  /** How often the manager was brought back after it had lost its log. */
  public int recovered() {
    return recoveries == null ? 0 : recoveries.done();
  }

  /** Further kinds of faults. */
  public SimulationRun with(Set<Trouble> others) {
    if (killer == null) throw new IllegalStateException("without kills");
    troubles = others;
    if (others.contains(Trouble.MOMENTS)) killer.alsoAtMoments();
    disturber = new Disturber(world, this::alive, counts, others, random.split());
    return this;
  }

  /** Servers also join and leave. */
  public SimulationRun withGrowth() {
    growth = new Growth(world, counts, random.split());
    return this;
  }

  /** Instances with a capacity come, change their size and go. */
  public SimulationRun withAllocations() {
    allocations = new Allocations(world, new SplittableRandom(seed ^ ALLOCATED));
    return this;
  }

  /** How often an instance was asked for, or another size of it, or its end. */
  public int allocated() {
    return allocations == null ? 0 : allocations.asked();
  }

  /** How many instances were made while managers changed. */
  public long made() {
    return made == null ? 0 : made.made();
  }

  /** How often a server joined or was asked to leave. */
  public int grown() {
    return growth == null ? 0 : growth.changes();
  }

  /** The instance waits while copies are missing. */
  public SimulationRun withWaiting() {
    whenDegraded = "wait";
    return this;
  }

  /**
   * Files are drained to a store that fails once in this many calls, and are evicted occasionally,
   * as if there were no room.
   */
  public SimulationRun withDraining(int failsOneIn) {
    // For every address, all seats of a world share the one simulated store.
    SplittableRandom choice = new SplittableRandom(seed ^ STORE);
    boolean corrupts = choice.nextInt(CORRUPTING_ONE_IN) == 0;
    String policy = corrupts ? "every=1s,verify" : "every=1s";
    if (SeedChoices.packs(seed)) world.store().take(PACK_BYTES_MAX);
    drain = new DrainSpec("null:", SeedChoices.packs(seed) ? policy + PACKS : policy);
    if (corrupts) world.store().corrupt(choice.split());
    SimulatedBackingStore.Kind[] kinds = SimulatedBackingStore.Kind.values();
    world.store().become(kinds[choice.nextInt(kinds.length)]);
    world.weather().failing(failsOneIn);
    if (failsOneIn > 0 && choice.nextBoolean()) world.weather().storming();
    if (choice.nextInt(CACHING_ONE_IN) == 0) drain = drain.keeping("reads");
    return this;
  }

  /**
   * Users punch holes in files. Only without a store: a hole over stored bytes is not made at once.
   */
  public SimulationRun withHoles() {
    punching = true;
    return this;
  }

  /** Clients take advisory locks from each other. */
  public SimulationRun withLocks() {
    locks = new LockAudit(world);
    audits.add(locks);
    players = new LockPlayers(world, INSTANCE, locks, new SplittableRandom(seed ^ LOCKS));
    return this;
  }

  /** Further instances end while a stage of theirs is due. */
  public SimulationRun withEnds(boolean forced) {
    ends = new EndAudit(world);
    audits.add(ends);
    ending = new EndingInstances(world, ends, forced, new SplittableRandom(seed ^ ENDS));
    return this;
  }

  /** How many instances ended after their stage. */
  public int ended() {
    return ends == null ? 0 : ends.ended();
  }

  /** The instance takes so few bytes in a short window that writes are refused now and then. */
  public SimulationRun withProtection() {
    protection = PROTECTION;
    return this;
  }

  /** How many records write protection refused. */
  public int recordsRefused() {
    return uses.refused();
  }

  /** How many advisory locks were taken. */
  public int locksTaken() {
    return locks == null ? 0 : locks.taken();
  }

  /** Users without rights try to use files of others, and to pass for root and for seats. */
  SimulationRun withStranger() {
    stranger = new UnauthorizedUser(world);
    audits.add(stranger);
    outsider = new Outsider(world);
    audits.add(outsider);
    return this;
  }

  /** How many whole files were put. */
  public int filesPut() {
    return putFiles.count();
  }

  /** How many files got their names in the store together with others. */
  public int packed() {
    return stored.packed();
  }

  /**
   * How many files were compared with their expected content when they got their names in the
   * store.
   */
  public int stored() {
    return stored.compared();
  }

  /** How often a member that was not current was made current. */
  public int madeCurrent() {
    return currency.made();
  }

  /** Runs until this many operations have succeeded, reads everything back, and checks it. */
  public Outcome run(int operations, boolean forced) {
    world.start();
    instance = makeInstance(forced);
    boolean progressed =
        world.runUntil(
            () -> {
              // First, so that the actions of a process before its kill are seen.
              check();
              keepGoing();
              boolean done = sum() >= operations && faultsEnough() && !waits.isUndecided(all);
              return !problems.isEmpty() || done;
            },
            RUN_NANOS_MAX);
    if (acknowledgements.count() == 0) problem("I5", "nothing was ever acknowledged");
    if (!progressed) problem("I5", "only " + sum() + " operations in half a simulated hour");
    if (problems.isEmpty()) readBack();
    for (Violation violation : HistoryChecker.check(history)) problems.add(Problem.of(violation));
    return new Outcome(
        seed,
        sum(),
        all.stream().mapToLong(SimulatedUser::failed).sum(),
        counts.all(),
        world.nanos(),
        world.steps(),
        world.trace().hash(),
        problems);
  }

  private boolean faultsEnough() {
    if (killer == null || waits.healed()) return true;
    boolean seen = killer.lostEnough() && (disturber == null || disturber.enough());
    return counts.sum() >= FAULTS_MIN && (seen || world.nanos() > RARE_NANOS_MAX);
  }

  private void keepGoing() {
    while (alive().size() < users) newUser().start();
    if (killer != null) killer.act();
    if (disturber != null) disturber.act();
    while (damaged < world.network().damaged()) {
      damaged++;
      counts.add(FaultKind.DAMAGED_PAYLOAD);
    }
    if (growth != null) growth.act();
    if (allocations != null) allocations.act();
    if (made != null) made.act();
    if (players != null) players.act();
    if (ending != null) ending.act();
    if (stranger != null) stranger.act(INSTANCE);
    if (outsider != null) outsider.act(INSTANCE);
    if (drain.isNone()) return;
    if (random.nextInt(ROOM_ONE_IN) == 0 || caches()) giveUpRoom();
    FaultKind weather = world.weather().act(random);
    if (weather != null) counts.note(weather);
  }

  /** Cached reads must be evicted again before the next read through. */
  private boolean caches() {
    if (drain.keep().isEmpty() || world.nanos() < nextRoomNanos) return false;
    nextRoomNanos = world.nanos() + random.nextLong(CACHING_NANOS_MIN, CACHING_NANOS_MAX);
    return true;
  }

  private void giveUpRoom() {
    for (SeatNode seat : world.seats()) seat.callForRoom(ROOM_BYTES, true);
  }

  private void check() {
    for (Audit audit : audits) {
      if (world.steps() % audit.everySteps() == 0) audit.look();
      problems.addAll(audit.problems());
    }
    for (SimulatedUser user : all) problems.addAll(user.problems());
    problems.addAll(waits.look(all));
    problems.addAll(putFiles.problems());
  }

  /** Ends the faults of servers and of the store. */
  private void heal() {
    if (disturber != null) disturber.stop();
    if (killer != null) killer.stop();
    world.calmManagers();
    world.weather().failing(0);
  }

  /** All users die, everything else comes back, and a new user reads everything. */
  private void readBack() {
    for (SimulatedUser user : alive()) user.kill();
    if (players != null) players.stop();
    if (ending != null) ending.stop();
    if (disturber != null) disturber.stop();
    if (killer != null) killer.stop();
    if (growth != null) growth.stop();
    if (allocations != null) allocations.stop();
    if (made != null) made.stop();
    world.calmManagers();
    world.runUntil(this::healed, HEAL_NANOS);
    if (made != null && !world.runUntil(this::allMade, HEAL_NANOS)) {
      problem("I5", "an instance that was asked for again and again is not made");
    }
    if (!world.runUntil(this::current, REPAIR_NANOS_MAX)) {
      problem("I5", "not every member is current again");
    }
    if (!world.runUntil(this::full, COPIES_NANOS_MAX)) {
      problem("I5", "not every group has all its copies again");
    }
    if (disturber != null) mend(disturber.flips());
    if (!drain.isNone()) readFromTheStore();
    SimulatedUser reader = newUser();
    CompletableFuture<Void> read = reader.attach().thenCompose(attached -> reader.readAll());
    long readNanosMax = READ_BACK_NANOS_MAX + putFiles.count() * READ_BACK_FILE_NANOS_MAX;
    if (!world.runUntil(read::isDone, readNanosMax)) {
      problem("I5", "what is there could not be read back in time");
    } else if (read.isCompletedExceptionally()) {
      problem("I1", "what is there could not be read back: " + read.exceptionNow());
    }
    check();
  }

  /** Damage that no reader finds is found by the next restart, or by a checksum scan. */
  private void mend(BitFlips flips) {
    if (flips.none()) return;
    flips.restartDamaged();
    boolean mended = world.runUntil(() -> healed() || flips.mended(), MENDED_NANOS_MAX);
    if (!mended) problem("I5", "what was damaged is not there again");
  }

  /** Evicts everything, so that reads come from the store. */
  private void readFromTheStore() {
    world.weather().failing(0);
    if (!world.runUntil(() -> healed() || settled(), DRAIN_NANOS_MAX)) {
      Problem unsettled = stored.unsettled();
      if (unsettled != null) problems.add(unsettled);
    }
    world.runFor(5 * SECOND);
    giveUpRoom();
    world.runFor(5 * SECOND);
  }

  /** Not checked after every step, since the check is slow. */
  private boolean settled() {
    return world.steps() % SETTLED_EVERY == 0 && stored.unsettled() == null;
  }

  private void problem(String rule, String sentence) {
    problems.add(new Problem(rule, sentence));
  }

  /** Checks the rules at every step of a wait; always false. */
  private boolean healed() {
    if (growth != null) growth.act();
    if (allocations != null) allocations.act();
    if (made != null) made.act();
    check();
    return false;
  }

  private boolean allMade() {
    return healed() || made == null || made.isDone();
  }

  private boolean current() {
    return healed() || killer == null || killer.allLivingCurrent();
  }

  private boolean full() {
    return healed() || Growth.full(world);
  }

  private SimulatedUser newUser() {
    int number = all.size() + 1;
    ClientNode node = new ClientNode(world, number, INSTANCE, random.split());
    world.add(node);
    SimulatedUser user =
        new SimulatedUser(
            world,
            node,
            new SimulatedUser.Habits(number, instance, thinkNanosMax()),
            new SimulatedUser.Records(history, values),
            random.split());
    if (troubles.contains(Trouble.WRITE_ERRORS) || troubles.contains(Trouble.READ_ERRORS)) {
      user.expect(ErrorCode.FAILED);
    }
    if (!drain.isNone()) user.alsoRename();
    if (SeedChoices.puts(seed)) user.alsoPut(putFiles);
    if (punching && drain.isNone()) user.alsoPunch();
    all.add(user);
    return user;
  }

  /** Where processes die, users pause between operations, so that more faults hit each user. */
  private long thinkNanosMax() {
    return killer == null ? SECOND / 300 : SECOND / 10;
  }

  private List<SimulatedUser> alive() {
    return all.stream().filter(user -> !user.over()).toList();
  }

  private long sum() {
    return all.stream().mapToLong(SimulatedUser::done).sum();
  }

  private int makeInstance(boolean forced) {
    Administrator administrator = new Administrator(world);
    administrator.createInstance(
        INSTANCE, options.copies(), forced, whenDegraded, drain, protection);
    RingMap map = world.map();
    Instance made = map == null ? null : map.instance(INSTANCE);
    if (made == null) throw new IllegalStateException("the instance was not made");
    return made.id();
  }
}
