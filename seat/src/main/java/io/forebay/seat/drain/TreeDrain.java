// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.RetryPace;
import io.forebay.base.FileId;
import io.forebay.base.Timers;
import io.forebay.drain.pace.RateLimit;
import io.forebay.drain.policy.Cause;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.drain.attempt.BackingAttempts;
import io.forebay.seat.drain.attempt.DrainJob;
import io.forebay.seat.drain.attempt.DrainedTree;
import io.forebay.seat.drain.attempt.FormerAttempts;
import io.forebay.seat.drain.attempt.Packing;
import io.forebay.seat.drain.naming.BackingChanges;
import io.forebay.seat.drain.naming.BackingLeftovers;
import io.forebay.seat.drain.naming.ConflictCheck;
import io.forebay.seat.drain.naming.PackLeftovers;
import io.forebay.seat.drain.through.BackingLooks;
import io.forebay.seat.drain.through.DrainHome;
import io.forebay.seat.drain.through.ReadCache;
import io.forebay.seat.drain.through.ReadThrough;
import io.forebay.seat.drain.through.ReadTree;
import io.forebay.seat.names.HomeNames;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.MapView;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Names;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Drains one tree, as its home: chooses files, has each drained by a {@link DrainJob}, and has
 * {@link BackingChanges} give them their names.
 */
final class TreeDrain implements DrainedTree, ReadTree {
  /** The maximum number of files that are written at a time. */
  private static final int JOBS_MAX = 4;

  /** The maximum number of waiting files; others are found at the next scan of the tree. */
  private static final int QUEUE_MAX = 100_000;

  private static final long LOOK_NANOS = 1_000_000_000L;

  /** An unchanged tree is scanned only once in this many ticks. */
  private static final int LOOKS_SAVED = 5;

  private static final long RETRY_NANOS_MAX = 15_000_000_000L;

  /** The time over which the rate is measured. */
  private static final long RATE_NANOS = 2_000_000_000L;

  private final Basics basics;
  private final MapView maps;
  private final Timers timers;
  private final Backings backings;
  private final Questions questions;
  private final DrainHome home;
  private final int instance;
  private final int tree;
  private final DrainPolicy policy;
  private final RateLimit rate;
  private final FillLevel fill;
  private final DrainQueue queue = new DrainQueue(QUEUE_MAX);
  private final BackingChanges changes;
  private final BackingLeftovers leftovers;
  private final FormerAttempts former;
  private final BackingPause pause;
  private final TreeRoom room;
  private final Packing packing;
  private final ReadCache cache;
  private final Map<Long, DrainJob> jobs = new LinkedHashMap<>();
  private final Map<Long, RetryPace> retries = new TreeMap<>();
  private final Map<Long, String> errors = new TreeMap<>();

  /** Files that other programs changed in the store, as far as this home has noticed. */
  private final Map<Long, ConflictCheck.Finding> underneath = new TreeMap<>();

  private final BackingLooks looks;

  /** Since when this home has seen that files wait; looked up only. */
  private Map<Long, Long> dirtySinceNanos = new HashMap<>();

  private Undrained undrained = Undrained.NONE;
  private long lookedNanos;
  private long lookedIndex = -1;
  private int looksSaved;
  private long rateSinceNanos;
  private long rateBytes;
  private long bytesPerSecond;
  private String trouble = "";

  /** Whether the trouble needs an operator. */
  private boolean lastingTrouble;

  private @Nullable Backing lastBacking;

  TreeDrain(
      DrainParts parts, DrainHome home, ReadThrough readThrough, Instance instance, int tree) {
    this.basics = parts.basics();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.backings = parts.backings();
    this.questions = parts.links().questions();
    this.home = home;
    this.instance = instance.id();
    this.tree = tree;
    this.policy = DrainPolicy.of(instance.drain().policy());
    this.fill = new FillLevel(maps, policy.fillPercent());
    this.rate = new RateLimit(policy.rateBytesPerSecond(), timers.nanos());
    this.packing = new Packing(basics, questions, this, policy);
    this.changes =
        new BackingChanges(basics, parts.sentBackingCalls().of(this.instance, tree), this, packing);
    this.looks = new BackingLooks(basics, home.names(), this);
    this.leftovers = new BackingLeftovers(basics, this, new KnownPacks());
    this.former = new FormerAttempts(basics, questions, this);
    this.pause = new BackingPause(basics, newPace());
    this.room = new TreeRoom(basics, this, instance);
    this.cache =
        new ReadCache(
            basics, questions, this, room.policy(), new CacheAnswers(home.names(), readThrough));
    this.lookedNanos = timers.nanos() - LOOK_NANOS;
    this.rateSinceNanos = timers.nanos();
  }

  @Override
  public HomeView home() {
    return home;
  }

  BackingLooks looks() {
    return looks;
  }

  @Override
  public ReadCache cache() {
    return cache;
  }

  /** The epoch is over: waiting clients ask the next home. */
  void stop() {
    looks.stop();
    cache.stop();
  }

  @Override
  public int instance() {
    return instance;
  }

  @Override
  public int tree() {
    return tree;
  }

  /** Whether this home may still act in the store. */
  @Override
  public boolean active() {
    return !home.stopped() && home.leased();
  }

  @Override
  public @Nullable BackingView view() {
    return home.state().backing(instance, tree);
  }

  @Override
  public @Nullable Backing backing() {
    return backings.of(instance);
  }

  /** The known packs of this tree. */
  private final class KnownPacks implements PackLeftovers {
    @Override
    public boolean isOn() {
      return packing.isOn();
    }

    @Override
    public boolean isPack(AttemptId.Origin origin) {
      return Packing.isPack(origin);
    }

    @Override
    public boolean isDead(AttemptId.Origin origin, BackingView view) {
      return packing.isDead(origin, view, changes.noting());
    }
  }

  private record CacheAnswers(HomeNames names, ReadThrough readThrough)
      implements ReadCache.Answers {
    @Override
    public void heard(SessionKey key) {
      names.heard(key);
    }

    @Override
    public void getAfterFill(ReadThrough.Asker asker) {
      readThrough.getAfterFill(asker);
    }
  }

  @Override
  public Leftovers leftovers() {
    return leftovers;
  }

  @Override
  public void propose(GroupCommand command, HomeView.Change change) {
    Instance known = maps.instance(instance);
    if (!home.propose(command, known != null && known.forced(), change)) change.applied(null);
  }

  /** The name and attributes with which an attempt is to be stored. */
  @Override
  public Attempt attempt(long file, DrainAttempt attempt, FileAttributes attributes) {
    RingMap map = maps.map();
    AttemptId id =
        AttemptId.of(
            map == null ? 0 : map.cluster(),
            new FileId(instance, file),
            attempt.version(),
            attempt.number());
    AttemptPlan plan =
        new AttemptPlan(id, BackingPath.of(attempt.target()), attempt.sizeBytes(), attributes);
    return new Attempt(plan, attempt.handle());
  }

  /** The instance is gone: pending attempts must leave nothing in the store. */
  void abandon() {
    Backing used = lastBacking;
    for (DrainJob job : jobs.values()) {
      Attempt begun = job.abandon();
      if (begun == null || used == null || used.room() == 0) continue;
      used.abort(begun, answer -> BackingAttempts.tellAllOver(maps, questions, begun));
    }
    jobs.clear();
    if (used != null) packing.abandon(used);
  }

  // Which file is drained when.

  void tick() {
    looks.tick();
    cache.tick();
    lastBacking = backing();
    if (!ready()) return;
    changes.poll();
    leftovers.tick();
    if (timers.nanos() - lookedNanos >= LOOK_NANOS) look();
    if (!pause.isOn()) begin();
    for (DrainJob job : List.copyOf(jobs.values())) job.tick();
    measure();
  }

  /** Takes up what waits. */
  private void begin() {
    former.takeBack();
    startJobs();
    packing.tick();
  }

  /** Whether an attempt at the file is being made. */
  @Override
  public boolean worksAt(long file) {
    return jobs.containsKey(file);
  }

  private boolean ready() {
    return active() && backings.of(instance) != null;
  }

  private void measure() {
    long nanos = timers.nanos() - rateSinceNanos;
    if (nanos < RATE_NANOS) return;
    bytesPerSecond = (long) (rateBytes * 1e9 / nanos);
    rateBytes = 0;
    rateSinceNanos = timers.nanos();
  }

  @Override
  public void written(int bytes) {
    rateBytes += bytes;
    rate.take(bytes, timers.nanos());
  }

  @Override
  public boolean verifies() {
    return policy.verify();
  }

  @Override
  public boolean mayWrite() {
    return rate.waitNanos(timers.nanos()) == 0;
  }

  private void look() {
    lookedNanos = timers.nanos();
    BackingView view = view();
    if (view == null || (home.state().lastIndex() == lookedIndex && ++looksSaved < LOOKS_SAVED)) {
      return;
    }
    lookedIndex = home.state().lastIndex();
    looksSaved = 0;
    room.dropRest(view);
    Instance known = maps.instance(instance);
    boolean ending = known != null && known.drain().ending();
    boolean filled = known != null && fill.isReached(known, dirtyBytes(view));
    Map<Long, Long> stillDirty = new HashMap<>();
    Undrained.Sum found = new Undrained.Sum();
    view.dirty(
        file -> {
          boolean open = home.names().isOpen(new FileId(instance, file));
          Names.Attributes attributes = view.attributes(file);
          if (attributes == null) return;
          // Not by the file's own time: that is a wall clock's, which may jump.
          long sinceNanos = dirtySinceNanos.getOrDefault(file, lookedNanos);
          if (stillDirty.size() < QUEUE_MAX) stillDirty.put(file, sinceNanos);
          long waitedNanos = lookedNanos - sinceNanos;
          found.add(attributes.allocatedBytes(), sinceNanos);
          policy
              .due(new DrainPolicy.Waiting(open, view.isWanted(file), ending, filled, waitedNanos))
              .ifPresent(cause -> offer(file, cause, attributes.modifyNanos()));
        });
    dirtySinceNanos = stillDirty;
    undrained = found.of(instance);
  }

  /** At the last look. */
  Undrained undrained() {
    return undrained;
  }

  private long dirtyBytes(BackingView view) {
    if (policy.fillPercent() == 0) return 0;
    long[] bytes = new long[1];
    view.dirty(
        file -> {
          Names.Attributes attributes = view.attributes(file);
          if (attributes != null) bytes[0] += attributes.allocatedBytes();
        });
    return bytes[0];
  }

  /** Whether the store has all data, and no change of it is pending. */
  boolean isSettled() {
    BackingView view = view();
    if (view == null) return true;
    boolean[] dirty = new boolean[1];
    view.dirty(file -> dirty[0] = true);
    return !dirty[0] && view.underWay().isEmpty() && view.nextChange() == null;
  }

  private void offer(long file, Cause cause, long age) {
    if (jobs.containsKey(file) || packing.contains(file)) return;
    var _ =
        queue.offer(new DrainQueue.Item(new FileId(instance, file), cause, policy.priority(), age));
  }

  /** Told whether the journal has it. */
  interface Requested {
    void journalled(boolean kept);
  }

  /** A client requests a file, or all below a directory. */
  void request(long node, Requested requested) {
    propose(
        new GroupCommand.WantDrain(instance, tree, node),
        applied -> {
          requested.journalled(applied != null);
          BackingView view = view();
          if (applied == null || view == null) return;
          view.dirtyBelow(
              node,
              file -> {
                Names.Attributes attributes = view.attributes(file);
                if (attributes == null) return;
                // A client that asks again may have removed the obstacle.
                if (errors.containsKey(file)) queue.remove(new FileId(instance, file));
                offer(file, Cause.REQUEST, attributes.modifyNanos());
              });
        });
    pause.end();
    former.hurry();
    // A client waits.
    if (ready()) startJobs();
  }

  /** There is no room: evicts durable data first, and drains the rest if a seat is full. */
  void wantRoom(long bytes, boolean full) {
    BackingView view = view();
    if (view == null || !active()) return;
    cache.pressed();
    if (room.free(view, bytes) >= bytes || !full) return;
    view.dirty(
        file -> {
          Names.Attributes attributes = view.attributes(file);
          boolean open = home.names().isOpen(new FileId(instance, file));
          if (attributes != null && !open) offer(file, Cause.FILL, attributes.modifyNanos());
        });
  }

  private void startJobs() {
    while (jobs.size() < JOBS_MAX) {
      DrainQueue.Item lone = packing.nextAlone();
      if (lone == null && packing.isFull()) return;
      DrainQueue.Item item = lone == null ? queue.next(timers.nanos()) : lone;
      if (item == null) return;
      long file = item.file().number();
      BackingView view = view();
      boolean taken =
          view == null
              || view.attributes(file) == null
              || view.isDurable(file)
              || view.attempt(file) != null;
      if (taken || (lone == null && packing.takes(item))) continue;
      DrainJob job = new DrainJob(basics, questions, this, item);
      jobs.put(file, job);
      job.start();
    }
  }

  /** A job is over: the file is about to get its name, or has to be drained again. */
  @Override
  public void ended(DrainQueue.Item item, @Nullable BackingFailure failure, String why) {
    long file = item.file().number();
    jobs.remove(file);
    if (home.stopped()) return;
    if (why.isEmpty()) {
      retries.remove(file);
      errors.remove(file);
      underneath.remove(file);
      packing.isStored(file);
      works();
      changes.poll();
      return;
    }
    errors.put(file, why);
    if (failure instanceof BackingFailure.ChangedUnderneath) changedUnderneath(file, why);
    else if (failure != null) troubled(failure);
    RetryPace pace = retries.computeIfAbsent(file, key -> newPace());
    BackingFailure.Advice advice =
        failure == null ? BackingFailure.Advice.TRY_AGAIN : failure.advice();
    queue.postpone(item, timers.nanos() + pace.failed(advice));
  }

  /** Another program changed the store's copy of a file, or replaced it. */
  @Override
  public void changedUnderneath(long file, String sentence) {
    BackingView view = view();
    if (view == null || view.attributes(file) == null) return;
    underneath.put(file, new ConflictCheck.Finding(sentence, view.stored(file)));
    warn(sentence);
  }

  /** Reports trouble with the store, while there is an instance that needs it. */
  private void warn(String sentence) {
    basics
        .warnings()
        .warnWhile(
            "the backing store of instance " + instance,
            sentence,
            () -> maps.instance(instance) != null);
  }

  /** The store's copy of a file could be read. */
  @Override
  public void sound(long file) {
    underneath.remove(file);
  }

  @Override
  public RetryPace newPace() {
    return new RetryPace(RETRY_NANOS_MIN, RETRY_NANOS_MAX, basics.random());
  }

  /** The store fails. */
  @Override
  public void troubled(BackingFailure failure) {
    trouble = failure.sentence();
    lastingTrouble = isLasting(failure);
    pause.failed(failure);
    warn(failure.sentence());
  }

  /** Whether an operator must act; a lack of space may pass. */
  private static boolean isLasting(BackingFailure failure) {
    return failure.advice() == BackingFailure.Advice.TELL_AND_WAIT
        && !(failure instanceof BackingFailure.NoSpace);
  }

  @Override
  public void works() {
    trouble = "";
    lastingTrouble = false;
    pause.worked();
  }

  // For people.

  Names.LedgerIs ledger(Names.LedgerIs known) {
    List<Names.LedgerEntry> entries = known.entries().stream().map(this::entry).toList();
    String problem = backings.problem(instance);
    return new Names.LedgerIs(
        entries,
        known.more(),
        bytesPerSecond,
        problem.isEmpty() ? (trouble.isEmpty() ? changes.waitsFor() : trouble) : problem,
        known.leftOut(),
        outlook(!problem.isEmpty()));
  }

  private Names.DrainOutlook outlook(boolean unusable) {
    Instance known = maps.instance(instance);
    boolean ending = known != null && known.drain().ending();
    if (unusable || lastingTrouble) return Names.DrainOutlook.NEEDS_REPAIR;
    return policy.isByRequestOnly() && !ending
        ? Names.DrainOutlook.NEEDS_REQUEST
        : Names.DrainOutlook.GOES_ON;
  }

  /** The conflict of a file in the store, unless it has been checked again since. */
  private ConflictCheck.@Nullable Finding finding(long file) {
    ConflictCheck.Finding found = underneath.get(file);
    BackingView view = view();
    if (found == null || view == null) return null;
    if (Objects.equals(found.stored(), view.stored(file))) return found;
    underneath.remove(file);
    return null;
  }

  /** No job works on it: it is complete and about to be named, or nothing is written. */
  private static long writtenBytes(Names.LedgerEntry known) {
    return known.state() == Names.DrainState.NAMING ? known.sizeBytes() : 0;
  }

  private Names.LedgerEntry entry(Names.LedgerEntry known) {
    DrainJob job = jobs.get(known.file());
    RetryPace pace = retries.get(known.file());
    boolean worked = job != null || packing.contains(known.file());
    boolean queued = queue.contains(new FileId(instance, known.file()));
    boolean waits =
        switch (known.state()) {
          case BUFFERED -> worked || queued || isWanted(known.file());
          // The journal has the attempt until it is taken back in the store, which may be away.
          case DRAINING -> !worked;
          default -> false;
        };
    ConflictCheck.Finding finding = finding(known.file());
    Names.DrainState state = waits ? Names.DrainState.WAITING : known.state();
    return new Names.LedgerEntry(
        known.file(),
        known.path(),
        known.sizeBytes(),
        known.version(),
        known.durableVersion(),
        known.backed(),
        finding == null ? state : Names.DrainState.CHANGED,
        job == null ? Math.max(writtenBytes(known), packing.doneBytes(known)) : job.doneBytes(),
        pace == null ? 0 : pace.failures(),
        known.sinceNanos(),
        finding == null ? reason(known) : finding.sentence());
  }

  /** Whether a drain is requested, even if this home has not looked at the file since. */
  private boolean isWanted(long file) {
    BackingView view = view();
    return view != null && view.isWanted(file);
  }

  /** Why a file is not in the store yet. */
  private String reason(Names.LedgerEntry known) {
    String error = errors.getOrDefault(known.file(), "");
    boolean naming = known.state() == Names.DrainState.NAMING;
    if (!naming) return error;
    return trouble.isEmpty() ? changes.waitsFor() : trouble;
  }
}
