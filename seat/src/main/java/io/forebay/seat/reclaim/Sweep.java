// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.Intake;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds dead records that no message named: scans all records of its log, of all groups, asks the
 * homes of their trees which of them are dead, and has those deleted. A dead record stays dead, and
 * only a leased home declares it dead (P16), or the map, which says that its instance has ended
 * (P37).
 *
 * <p>It runs soon after a start and after changes of the map, since messages may have been lost
 * then; often when there is no room; and at intervals.
 */
public final class Sweep {
  private static final int ASKED_AT_ONCE = 2048;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  /** Without a reason. */
  private static final long SELDOM_NANOS = 300_000_000_000L;

  /** The delay after a change: after it most groups are served again. */
  private static final long SOON_NANOS = 5_000_000_000L;

  /** Between the end of one and the next, while writers wait for room. */
  private static final long PRESSED_NANOS = 1_000_000_000L;

  /**
   * The pause between questions, as a multiple of the last answer's time, so that no home is kept
   * busy.
   */
  private static final int PAUSE_FACTOR = 8;

  private static final long PAUSE_NANOS_MIN = 10_000_000L;

  private record TreeKey(int instance, int tree) implements Comparable<TreeKey> {
    @Override
    public int compareTo(TreeKey other) {
      int byInstance = Integer.compare(instance, other.instance);
      return byInstance != 0 ? byInstance : Integer.compare(tree, other.tree);
    }
  }

  /** The groups with this seat as home. */
  public interface Homes {
    /** Null where another seat is the home. */
    @Nullable HomeReclaim of(GroupId group);
  }

  private record Question(TreeKey tree, List<RecordId> records) {}

  private final MapView maps;
  private final Timers timers;
  private final Store store;
  private final SeatCounters counters;
  private final Questions questions;
  private final Intake intake;
  private final Homes homes;

  /** The groups of private trees that were looked up. */
  private final Map<TreeKey, GroupId> elsewhere = new TreeMap<>();

  /**
   * The versions of the homes' states when the last walk began, so that unchanged trees need not be
   * asked.
   */
  private Map<TreeKey, Long> versions = new TreeMap<>();

  private final Map<TreeKey, Long> versionsNow = new TreeMap<>();

  /** Trees whose home does not answer at present, or that have not changed. */
  private final TreeSet<TreeKey> passedOver = new TreeSet<>();

  // At most the records of one segment.
  private final ArrayDeque<Question> pending = new ArrayDeque<>();
  private @Nullable RecordWalk walk;
  private boolean asking;
  private boolean incomplete;
  private long arrivals;
  private long arrivalsBefore = -1;
  private long nextNanos;
  private long pausedUntilNanos;
  private long endedNanos;
  private Map<GroupId, Long> epochs = Map.of();

  public Sweep(Basics basics, Questions questions, Intake intake, Homes homes) {
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.store = basics.store();
    this.counters = basics.counters();
    this.questions = questions;
    this.intake = intake;
    this.homes = homes;
    this.nextNanos = timers.nanos() + SOON_NANOS;
    this.pausedUntilNanos = timers.nanos();
    this.endedNanos = timers.nanos();
  }

  /**
   * If groups have other members or homes, messages about dead records may have been lost; returns
   * whether they have.
   */
  public boolean mapChanged(RingMap map) {
    Map<GroupId, Long> now = new TreeMap<>();
    for (Group group : map.groups()) now.put(group.id(), group.epoch());
    if (now.equals(epochs)) return false;
    epochs = now;
    wantedBy(timers.nanos() + SOON_NANOS);
    return true;
  }

  private void wantedBy(long nanos) {
    // A running sweep may have passed what has changed.
    arrivalsBefore = -1;
    incomplete = true;
    if (nanos - nextNanos < 0) nextNanos = nanos;
  }

  /** Now and then. */
  public void poll() {
    long now = timers.nanos();
    boolean pressed = !intake.pressure().isEmpty();
    if (walk == null && pending.isEmpty()) {
      boolean due = now - nextNanos >= 0 || (pressed && now - endedNanos >= PRESSED_NANOS);
      if (due && !asking) begin();
      return;
    }
    if (asking || (now - pausedUntilNanos < 0 && !pressed)) return;
    // A segment at a call, so that the loop can do other things.
    if (!pending.isEmpty()) ask(pending.remove());
    else if (walk != null && !next(walk)) end();
  }

  private void begin() {
    walk = store.walk();
    incomplete = false;
    passedOver.clear();
    versionsNow.clear();
    arrivals = counters.arrivals();
  }

  private boolean next(RecordWalk records) {
    Map<TreeKey, List<RecordId>> found = new LinkedHashMap<>();
    Set<Integer> ended = new TreeSet<>();
    boolean more =
        records.next(
            (id, file, group, bytes) -> {
              if (maps.instance(file.instance()) != null) {
                found.computeIfAbsent(treeOf(file), tree -> new ArrayList<>()).add(id);
              } else if (maps.hasEnded(file.instance())) {
                ended.add(file.instance());
              }
            });
    found.forEach(this::addQuestions);
    for (int instance : ended) drop(instance);
    return more;
  }

  /** What arrived after the seat had deleted the records of an instance that has ended (P37). */
  private void drop(int instance) {
    List<Scope> all = List.of(new Scope.WholeInstance(instance));
    if (store.kill(all, Level.KEPT, answer -> {}) == Commit.FULL) incomplete = true;
  }

  private static TreeKey treeOf(FileId file) {
    return new TreeKey(file.instance(), Names.treeOf(file.number()));
  }

  private void addQuestions(TreeKey tree, List<RecordId> records) {
    // The first question only asks whether anything has changed, if nothing arrived here meanwhile
    // either.
    if (!versionsNow.containsKey(tree) && arrivals == arrivalsBefore) {
      pending.add(new Question(tree, List.of()));
    }
    for (int from = 0; from < records.size(); from += ASKED_AT_ONCE) {
      int to = Math.min(records.size(), from + ASKED_AT_ONCE);
      pending.add(new Question(tree, List.copyOf(records.subList(from, to))));
    }
  }

  private void ask(Question question) {
    TreeKey tree = question.tree;
    Instance instance = maps.instance(tree.instance);
    if (instance == null || passedOver.contains(tree)) return;
    asking = true;
    long askedNanos = timers.nanos();
    questions.askHome(
        elsewhere.getOrDefault(tree, instance.rootGroup()),
        group ->
            new Data.AskDead(group.id(), group.epoch(), tree.instance, tree.tree, question.records),
        ANSWER_NANOS,
        reply -> {
          asking = false;
          pause(timers.nanos() - askedNanos);
          answered(question, reply);
        });
  }

  private void pause(long answerNanos) {
    pausedUntilNanos = timers.nanos() + Math.max(PAUSE_NANOS_MIN, PAUSE_FACTOR * answerNanos);
  }

  private void answered(Question question, @Nullable Message reply) {
    TreeKey tree = question.tree;
    if (reply instanceof Data.TreeIsIn is && !is.group().equals(elsewhere.get(tree))) {
      elsewhere.put(tree, is.group());
      pending.addFirst(question);
    } else if (reply instanceof Data.DeadAre dead) {
      Long before = versions.get(tree);
      versionsNow.putIfAbsent(tree, dead.version());
      boolean unchanged = before != null && before == dead.version();
      if (question.records.isEmpty() && unchanged) passedOver.add(tree);
      if (!dead.records().isEmpty()) drop(dead.records());
    } else {
      passedOver.add(tree);
      incomplete = true;
    }
  }

  /**
   * Drops records everywhere: the home of their group first, as always, so that it never has a
   * record that counts and a current member lacks it.
   */
  private void drop(List<RecordId> records) {
    Map<GroupId, List<RecordId>> byGroup = new TreeMap<>();
    for (RecordId record : records) {
      int group = store.group(record);
      if (group < 0) continue;
      byGroup.computeIfAbsent(new GroupId(group), key -> new ArrayList<>()).add(record);
    }
    byGroup.forEach(this::drop);
  }

  private void drop(GroupId id, List<RecordId> records) {
    List<Data.Dead> dead = records.stream().map(Data.Dead::record).toList();
    HomeReclaim home = homes.of(id);
    if (home != null) {
      home.drop(dead, done -> dropped(done, records));
    } else {
      questions.askHome(
          id,
          known -> new Data.Kill(known.id(), known.epoch(), dead),
          ANSWER_NANOS,
          reply -> dropped(reply instanceof Replies.Done, records));
    }
  }

  private void dropped(boolean done, List<RecordId> records) {
    if (done) counters.swept(records.size());
    else incomplete = true;
    // The last seat to be asked learns of it too late for this round.
    if (!done && walk == null) wantedBy(timers.nanos() + SOON_NANOS);
  }

  private void end() {
    walk = null;
    endedNanos = timers.nanos();
    nextNanos = endedNanos + (incomplete ? SOON_NANOS : SELDOM_NANOS);
    versions = incomplete ? new TreeMap<>() : new TreeMap<>(versionsNow);
    arrivalsBefore = incomplete ? -1 : arrivals;
  }
}
