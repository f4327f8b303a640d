// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.InstanceFill;
import io.forebay.namespace.use.Counted;
import io.forebay.namespace.use.InstanceUse;
import io.forebay.namespace.use.WriteWindow;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.InstanceBytes;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.WallClock;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Uses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Counts at a group's home what clients write to the group.
 *
 * <ol>
 *   <li>{@link #wrote} adds the bytes of each record that is taken, in memory.
 *   <li>About once a second the sums go into the group's journal, so that members have them. A home
 *       that dies forgets what it took since the last entry: at most {@link #JOURNAL_NANOS} of
 *       writes, or {@link #JOURNAL_BYTES} and what comes while an entry is on its way.
 *   <li>Counts of a protected instance are also reported to the home of the instance's root, which
 *       adds up the reports of all groups and answers with its verdict ({@link InstanceVerdicts}).
 *   <li>While the verdict is that too much was written, {@link #refusal} refuses records.
 * </ol>
 */
public final class HomeUse implements WriteCounting {
  /** Counts of writes are journalled after this time at the latest. */
  static final long JOURNAL_NANOS = 1_000_000_000L;

  /** Or as soon as they have come to this. */
  static final long JOURNAL_BYTES = 64L << 20;

  /** Counts of reads and of bytes on the SSD, which limit nothing, are journalled more rarely. */
  static final long QUIET_NANOS = 10 * JOURNAL_NANOS;

  /** A verdict that the home of the root does not renew ends this long after its own end. */
  private static final long SILENT_MILLIS = 5_000;

  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  /** The last report of an instance, and what was answered. */
  private static final class Reported {
    long writtenBytes = -1;
    long filesCreated = -1;
    long rootEpoch;
    boolean asking;
    Uses.Verdict verdict = Uses.Verdict.NONE;
  }

  private final Policies policies;
  private final MapView maps;
  private final Timers timers;
  private final WallClock wallClock;
  private final SeatCounters counters;
  private final Questions questions;
  private final HomeView home;

  /** Taken, and not proposed to the journal. */
  private final InstanceBytes pending = new InstanceBytes();

  /** On its way into the journal. */
  private final InstanceBytes proposed = new InstanceBytes();

  private final TreeMap<Integer, Reported> reports = new TreeMap<>();
  private long pendingBytes;
  private long journalledNanos;
  private long quietNanos;
  private long reportedNanos;

  public HomeUse(UseParts parts, HomeView home) {
    this.policies = parts.policies();
    this.maps = parts.basics().maps();
    this.timers = parts.basics().timers();
    this.wallClock = parts.basics().wallClock();
    this.counters = parts.basics().counters();
    this.questions = parts.questions();
    this.home = home;
    this.journalledNanos = timers.nanos();
    this.quietNanos = timers.nanos();
    this.reportedNanos = timers.nanos();
  }

  /**
   * The same process stays home in a newer epoch: it still has what is not in the journal. The
   * earlier epoch has ended, so that it knows which counts did not come into the journal.
   */
  public void adopt(HomeUse earlier) {
    for (int instance : earlier.pending.instances()) {
      wrote(instance, earlier.pending.take(instance));
    }
    earlier.reports.forEach((instance, report) -> of(instance).verdict = report.verdict);
  }

  @Override
  public void wrote(int instance, long bytes) {
    pending.add(instance, bytes);
    pendingBytes += bytes;
  }

  @Override
  public @Nullable String refusal(int instance) {
    if (reports.isEmpty()) return null;
    Reported reported = reports.get(instance);
    if (reported == null || !reported.verdict.writesOver()) return null;
    Instance known = maps.instance(instance);
    if (known == null || !policies.of(known).refuses()) return null;
    return ProtectionSentences.tooMuchWritten(known, policies.of(known), reported.verdict)
        + "; writes fail until then, reads and deletes work";
  }

  /** Whether as many files were created as are allowed, in all groups together. */
  public boolean filesUsedUp(int instance) {
    Reported reported = reports.get(instance);
    return reported != null && reported.verdict.filesOver();
  }

  /** Now and then. */
  public void tick() {
    if (!home.serving()) return;
    long now = timers.nanos();
    if (isDue(now)) journal(now);
    if (now - reportedNanos < JOURNAL_NANOS) return;
    reportedNanos = now;
    for (int instance : instances()) maybeReport(instance);
    reports.keySet().removeIf(instance -> maps.instance(instance) == null);
  }

  private boolean isDue(long now) {
    return pendingBytes >= JOURNAL_BYTES || now - journalledNanos >= JOURNAL_NANOS;
  }

  /** What was taken is in the journal soon, so that a takeover goes on from it (P30). */
  @Rule("P30")
  private void journal(long now) {
    journalledNanos = now;
    boolean quiet = now - quietNanos >= QUIET_NANOS;
    if (quiet) quietNanos = now;
    Set<Integer> counted = new TreeSet<>(pending.instances());
    if (quiet) {
      counted.addAll(counters.reads().instances());
      counted.addAll(counters.ssdWrites().instances());
    }
    for (int instance : counted) {
      if (!home.takesMore()) return;
      Instance known = maps.instance(instance);
      if (known != null) count(known);
      else if (maps.hasEnded(instance)) forget(instance);
    }
    if (pending.isEmpty()) pendingBytes = 0;
  }

  private void count(Instance instance) {
    // Reads and bytes on the SSD are counted by seat: one of its groups of the instance takes them.
    boolean ours = home.group().id().copies() == instance.copies();
    int id = instance.id();
    long writtenBytes = pending.take(id);
    long readBytes = ours ? counters.reads().take(id) : 0;
    long ssdBytes = ours ? counters.ssdWrites().take(id) : 0;
    if (writtenBytes + readBytes + ssdBytes == 0) return;
    pendingBytes -= writtenBytes;
    proposed.add(id, writtenBytes);
    long bucketMillis = bucketMillis(instance);
    Counted counted =
        new Counted(bucketMillis, nowMillis() / bucketMillis, writtenBytes, readBytes, ssdBytes);
    home.propose(
        new GroupCommand.CountUse(id, counted), instance.forced(), new OnItsWay(id, counted));
  }

  /** A count on its way into the journal. */
  private final class OnItsWay implements HomeView.Change {
    private final int instance;
    private final Counted counted;

    OnItsWay(int instance, Counted counted) {
      this.instance = instance;
      this.counted = counted;
    }

    @Override
    public void applied(GroupState.@Nullable Applied applied) {
      proposed.add(instance, -counted.writtenBytes());
    }

    /** Counts it again, so that the next epoch of this home forgets nothing. */
    @Override
    public void dropped() {
      proposed.add(instance, -counted.writtenBytes());
      if (counted.writtenBytes() > 0) wrote(instance, counted.writtenBytes());
      if (counted.readBytes() > 0) counters.reads().add(instance, counted.readBytes());
      if (counted.ssdBytes() > 0) counters.ssdWrites().add(instance, counted.ssdBytes());
    }
  }

  private void forget(int instance) {
    pendingBytes -= pending.take(instance);
    counters.reads().take(instance);
    counters.ssdWrites().take(instance);
  }

  private long bucketMillis(Instance instance) {
    return Windows.bucketMillis(policies.of(instance));
  }

  private long nowMillis() {
    return wallClock.nanos() / 1_000_000;
  }

  private Reported of(int instance) {
    return reports.computeIfAbsent(instance, key -> new Reported());
  }

  /** The instances that this group has taken anything of, or has trees of. */
  private Set<Integer> instances() {
    Set<Integer> all = new TreeSet<>(home.state().uses().all().keySet());
    all.addAll(home.state().instances());
    all.addAll(pending.instances());
    return all;
  }

  private void maybeReport(int number) {
    Instance instance = maps.instance(number);
    RingMap map = maps.map();
    ProtectionPolicy policy = instance == null ? ProtectionPolicy.NONE : policies.of(instance);
    if (instance == null || map == null || (policy.window().isNone() && policy.filesMax() == 0)) {
      reports.remove(number);
      return;
    }
    Group root = map.group(instance.rootGroup());
    Reported reported = of(number);
    if (root == null || reported.asking) return;
    long writtenBytes = writtenBytes(number);
    long filesCreated = home.state().fill(number).filesCreated();
    boolean changed =
        writtenBytes != reported.writtenBytes
            || filesCreated != reported.filesCreated
            || root.epoch() != reported.rootEpoch;
    boolean over = reported.verdict.writesOver() || reported.verdict.filesOver();
    if (!changed && !over) return;
    reported.asking = true;
    Uses.Report report = report(instance, filesCreated);
    questions.askHome(
        instance.rootGroup(),
        now -> withEpoch(report, now),
        ANSWER_NANOS,
        reply -> {
          reported.asking = false;
          if (reply instanceof Uses.Verdict verdict) {
            reported.verdict = verdict;
            reported.writtenBytes = writtenBytes;
            reported.filesCreated = filesCreated;
            reported.rootEpoch = root.epoch();
          } else if (nowMillis() > reported.verdict.untilMillis() + SILENT_MILLIS) {
            reported.verdict = Uses.Verdict.NONE;
          }
        });
  }

  private static Uses.Report withEpoch(Uses.Report report, Group root) {
    return new Uses.Report(
        root.id(),
        root.epoch(),
        report.instance(),
        report.from(),
        report.bucketMillis(),
        report.buckets(),
        report.filesCreated());
  }

  private Uses.Report report(Instance instance, long filesCreated) {
    long bucketMillis = bucketMillis(instance);
    long bucket = nowMillis() / bucketMillis;
    WriteWindow window = new WriteWindow();
    InstanceUse use = home.state().uses().of(instance.id());
    if (use != null) Windows.copy(use.window(), window);
    window.add(bucketMillis, bucket, pending.of(instance.id()) + proposed.of(instance.id()));
    List<Uses.Bucket> buckets = new ArrayList<>();
    window.buckets().forEach((number, bytes) -> buckets.add(new Uses.Bucket(number, bytes)));
    GroupId from = home.group().id();
    return new Uses.Report(
        instance.rootGroup(), 0, instance.id(), from, bucketMillis, buckets, filesCreated);
  }

  private long writtenBytes(int instance) {
    InstanceUse use = home.state().uses().of(instance);
    long journalled = use == null ? 0 : use.writtenBytes();
    return journalled + proposed.of(instance) + pending.of(instance);
  }

  /** What this group has taken of each instance, or of one. */
  public List<Uses.GroupUse> uses(int wanted, InstanceVerdicts verdicts) {
    List<Uses.GroupUse> all = new ArrayList<>();
    for (int number : instances()) {
      Instance instance = maps.instance(number);
      if (instance == null || (wanted != 0 && wanted != number)) continue;
      all.add(use(instance, verdicts));
    }
    return all;
  }

  private Uses.GroupUse use(Instance instance, InstanceVerdicts verdicts) {
    int number = instance.id();
    InstanceUse use = home.state().uses().of(number);
    InstanceFill fill = home.state().fill(number);
    long bucketMillis = bucketMillis(instance);
    long bucket = nowMillis() / bucketMillis;
    long uncounted = pending.of(number) + proposed.of(number);
    WriteWindow window = new WriteWindow();
    if (use != null) Windows.copy(use.window(), window);
    window.add(bucketMillis, bucket, uncounted);
    long windowBytes = window.bytes(bucket);
    boolean isRoot = instance.rootGroup().equals(home.group().id());
    return new Uses.GroupUse(
        number,
        home.group().id(),
        writtenBytes(number),
        use == null ? 0 : use.readBytes(),
        use == null ? 0 : use.ssdBytes(),
        windowBytes,
        Math.max(windowBytes, use == null ? 0 : use.windowBytesMax()),
        fill.heldBytes(),
        fill.heldBytesMax(),
        fill.filesCreated(),
        isRoot,
        isRoot ? verdicts.now(instance) : Uses.Verdict.NONE);
  }
}
