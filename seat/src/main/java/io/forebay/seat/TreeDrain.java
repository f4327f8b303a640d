package io.forebay.seat;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.RetryPace;
import io.forebay.backing.StorePath;
import io.forebay.base.FileId;
import io.forebay.drain.pace.RateLimit;
import io.forebay.drain.policy.Cause;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.DrainAttempt;
import io.forebay.namespace.tree.StoreView;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Drains one tree, as its home: chooses files, has each drained by a {@link DrainJob}, and has
 * {@link StoreChanges} give them their names.
 */
final class TreeDrain {
  /** So many files are written at a time. */
  private static final int JOBS_MAX = 4;

  /** Files that wait; others are found the next time the tree is looked through. */
  private static final int QUEUE_MAX = 100_000;

  private static final long LOOK_NANOS = 1_000_000_000L;

  /** A tree that has not changed is looked through only so often. */
  private static final int LOOKS_SAVED = 5;

  private static final long RETRY_NANOS_MIN = 200_000_000L;
  private static final long RETRY_NANOS_MAX = 15_000_000_000L;

  /** Over so long the rate is told. */
  private static final long RATE_NANOS = 2_000_000_000L;

  private final Seat seat;
  private final GroupHome home;
  private final int instance;
  private final int tree;
  private final DrainPolicy policy;
  private final RateLimit rate;
  private final DrainQueue queue = new DrainQueue(QUEUE_MAX);
  private final StoreChanges changes;
  private final TreeRoom room;
  private final Map<Long, DrainJob> jobs = new LinkedHashMap<>();
  private final Map<Long, RetryPace> retries = new TreeMap<>();
  private final Map<Long, String> errors = new TreeMap<>();

  /** Attempts of an earlier home that are being taken back. */
  private final Set<Long> aborting = new TreeSet<>();

  private long lookedNanos;
  private long lookedIndex = -1;
  private int looksSaved;
  private long rateSinceNanos;
  private long rateBytes;
  private long bytesPerSecond;
  private String trouble = "";

  TreeDrain(Seat seat, GroupHome home, Instance instance, int tree) {
    this.seat = seat;
    this.home = home;
    this.instance = instance.id();
    this.tree = tree;
    this.policy = policyOf(instance);
    this.rate = new RateLimit(policy.rateBytesPerSecond(), seat.nanos());
    this.changes = new StoreChanges(seat, this);
    this.room = new TreeRoom(this, instance);
    this.lookedNanos = seat.nanos() - LOOK_NANOS;
    this.rateSinceNanos = seat.nanos();
  }

  private static DrainPolicy policyOf(Instance instance) {
    String text = instance.drain().policy();
    try {
      return text.isEmpty() ? DrainPolicy.ON_REQUEST : DrainPolicy.parse(text);
    } catch (IllegalArgumentException e) {
      // The manager lets none in that it cannot read; another version's may be.
      return DrainPolicy.ON_REQUEST;
    }
  }

  Seat seat() {
    return seat;
  }

  GroupHome home() {
    return home;
  }

  int instance() {
    return instance;
  }

  int tree() {
    return tree;
  }

  /** Whether this home may still act in the store. */
  boolean active() {
    return !home.stopped() && home.leased();
  }

  @Nullable StoreView view() {
    return home.state().store(instance, tree);
  }

  @Nullable Backing backing() {
    return seat.backings().of(instance);
  }

  void propose(GroupCommand command, GroupHome.Change change) {
    Instance known = seat.instance(instance);
    if (!home.propose(command, known != null && known.forced(), change)) change.applied(null);
  }

  /** Where and as what an attempt is to be stored. */
  Attempt attempt(long file, DrainAttempt attempt, FileAttributes attributes) {
    RingMap map = seat.map();
    AttemptId id =
        AttemptId.of(
            map == null ? 0 : map.cluster(),
            new FileId(instance, file),
            attempt.version(),
            attempt.number());
    AttemptPlan plan =
        new AttemptPlan(id, StorePath.of(attempt.target()), attempt.sizeBytes(), attributes);
    return new Attempt(plan, attempt.handle());
  }

  /** What the store keeps of a file besides its bytes; nothing of one that is gone. */
  static FileAttributes attributesOf(Names.@Nullable Attributes known) {
    if (known == null) return FileAttributes.NONE;
    return new FileAttributes(
        known.mode() & FileAttributes.MODE_MASK, known.user(), known.group(), known.modifyNanos());
  }

  // What is drained when.

  void tick() {
    if (!active() || seat.backings().of(instance) == null) return;
    changes.poll();
    takeBackLeftovers();
    if (seat.nanos() - lookedNanos >= LOOK_NANOS) look();
    startJobs();
    for (DrainJob job : List.copyOf(jobs.values())) job.tick();
    measure();
  }

  private void measure() {
    long nanos = seat.nanos() - rateSinceNanos;
    if (nanos < RATE_NANOS) return;
    bytesPerSecond = (long) (rateBytes * 1e9 / nanos);
    rateBytes = 0;
    rateSinceNanos = seat.nanos();
  }

  void written(int bytes) {
    rateBytes += bytes;
    rate.take(bytes, seat.nanos());
  }

  boolean mayWrite() {
    return rate.waitNanos(seat.nanos()) == 0;
  }

  /** What a home before this one had begun: its attempts are taken back (P22). */
  private void takeBackLeftovers() {
    StoreView view = view();
    Backing backing = backing();
    if (view == null || backing == null) return;
    for (StoreView.UnderWay left : view.underWay()) {
      if (jobs.containsKey(left.file()) || aborting.contains(left.file())) continue;
      if (backing.room() == 0) return;
      aborting.add(left.file());
      Attempt attempt = attempt(left.file(), left.attempt(), FileAttributes.NONE);
      backing.abort(
          attempt,
          answer -> {
            if (answer instanceof Backing.Answer.Failed<Backing.Nothing> failed) {
              troubled(failed.failure());
              seat.timers().after(RETRY_NANOS_MIN, () -> aborting.remove(left.file()));
            } else {
              propose(
                  new GroupCommand.EndDrain(instance, tree, left.file(), left.attempt().number()),
                  applied -> aborting.remove(left.file()));
            }
          });
    }
  }

  private void look() {
    lookedNanos = seat.nanos();
    StoreView view = view();
    if (view == null || (home.state().lastIndex() == lookedIndex && ++looksSaved < LOOKS_SAVED)) {
      return;
    }
    lookedIndex = home.state().lastIndex();
    looksSaved = 0;
    room.dropRest(view);
    boolean filled =
        policy.fillPercent() > 0
            && seat.overload().own().usedPermille() >= policy.fillPercent() * 10;
    view.dirty(
        file -> {
          boolean open = home.names().isOpen(new FileId(instance, file));
          Names.Attributes attributes = view.attributes(file);
          if (attributes == null) return;
          long waitedNanos = seat.wallNanos() - attributes.modifyNanos();
          policy
              .due(new DrainPolicy.Waiting(open, false, false, filled, waitedNanos))
              .ifPresent(cause -> offer(file, cause, attributes.modifyNanos()));
        });
  }

  private void offer(long file, Cause cause, long age) {
    if (jobs.containsKey(file)) return;
    var _ =
        queue.offer(new DrainQueue.Item(new FileId(instance, file), cause, policy.priority(), age));
  }

  /** Somebody asks for a file, or for all below a directory. */
  void request(long node) {
    StoreView view = view();
    if (view == null) return;
    view.dirtyBelow(
        node,
        file -> {
          Names.Attributes attributes = view.attributes(file);
          if (attributes != null) offer(file, Cause.REQUEST, attributes.modifyNanos());
        });
  }

  /** There is no room: what is durable is given up first, and what is not is drained. */
  void wantRoom(long bytes) {
    StoreView view = view();
    if (view == null || !active()) return;
    if (room.free(view, bytes) >= bytes) return;
    view.dirty(
        file -> {
          Names.Attributes attributes = view.attributes(file);
          boolean open = home.names().isOpen(new FileId(instance, file));
          if (attributes != null && !open) offer(file, Cause.FILL, attributes.modifyNanos());
        });
  }

  private void startJobs() {
    while (jobs.size() < JOBS_MAX) {
      DrainQueue.Item item = queue.next(seat.nanos());
      if (item == null) return;
      long file = item.file().number();
      StoreView view = view();
      boolean taken =
          view == null
              || view.attributes(file) == null
              || view.isDurable(file)
              || view.attempt(file) != null;
      if (taken) continue;
      DrainJob job = new DrainJob(this, item);
      jobs.put(file, job);
      job.start();
    }
  }

  /** A job is over: the file is on its way to its name, or has to be drained again. */
  void ended(DrainJob job, @Nullable BackingFailure failure, String why) {
    long file = job.item().file().number();
    jobs.remove(file);
    if (home.stopped()) return;
    if (why.isEmpty()) {
      retries.remove(file);
      errors.remove(file);
      trouble = "";
      return;
    }
    errors.put(file, why);
    if (failure != null) troubled(failure);
    RetryPace pace = retries.computeIfAbsent(file, key -> newPace());
    BackingFailure.Advice advice =
        failure == null ? BackingFailure.Advice.TRY_AGAIN : failure.advice();
    queue.postpone(job.item(), seat.nanos() + pace.failed(advice));
  }

  RetryPace newPace() {
    return new RetryPace(RETRY_NANOS_MIN, RETRY_NANOS_MAX, seat.random());
  }

  /** The store does not do what it should. */
  void troubled(BackingFailure failure) {
    trouble = failure.sentence();
    seat.warnings().warn("the backing store of instance " + instance, failure.sentence());
  }

  void works() {
    trouble = "";
  }

  // For people.

  Names.LedgerIs ledger(Names.LedgerIs known) {
    List<Names.LedgerEntry> entries = known.entries().stream().map(this::entry).toList();
    String problem = seat.backings().problem(instance);
    return new Names.LedgerIs(
        entries, known.more(), bytesPerSecond, problem.isEmpty() ? trouble : problem);
  }

  private Names.LedgerEntry entry(Names.LedgerEntry known) {
    DrainJob job = jobs.get(known.file());
    RetryPace pace = retries.get(known.file());
    boolean waits =
        known.state() == Names.DrainState.BUFFERED
            && (job != null || queue.contains(new FileId(instance, known.file())));
    return new Names.LedgerEntry(
        known.file(),
        known.path(),
        known.sizeBytes(),
        known.version(),
        known.durableVersion(),
        known.backed(),
        waits ? Names.DrainState.WAITING : known.state(),
        job == null ? 0 : job.doneBytes(),
        pace == null ? 0 : pace.failures(),
        known.sinceNanos(),
        errors.getOrDefault(known.file(), ""));
  }
}
