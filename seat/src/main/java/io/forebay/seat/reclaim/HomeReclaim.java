// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.HomePuts;
import io.forebay.seat.reclaim.EndedSessions.Ended;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reclaims room. The home of a tree tells the homes of groups which records are dead, and which
 * sessions have ended or given up pieces; those ask back which records of such a session can be in
 * no file. If such a message is lost, with a process or because a queue was full, each seat finds
 * its dead records on its own ({@link Sweep}).
 */
public final class HomeReclaim implements HomePuts.Ended {
  private static final int DEAD_AT_ONCE = 1000;
  private static final int ASKED_AT_ONCE = 10_000;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();
  private static final int TELLS_MAX = 30;

  /** The maximum number of entries for a silent seat; a sweep finds the rest. */
  private static final int WAITING_MAX = 100_000;

  /** Between two searches for the pieces that sessions have given up. */
  private static final long GIVEN_UP_NANOS = 1_000_000_000L;

  /** From the first search for them at a group's home to the second. */
  private static final long LATE_NANOS = 5_000_000_000L;

  /** The maximum number of sessions for one such search; a sweep finds the rest. */
  private static final int SESSIONS_MAX = 16 * 1024;

  /** Notified of deletions before they happen. */
  public interface Listener {
    void killed(List<Data.Dead> dead);
  }

  /** Pending messages to a group's home or a member. */
  private static final class Target {
    final ArrayDeque<Data.Dead> dead = new ArrayDeque<>();
    boolean underWay;

    void add(Data.Dead each) {
      if (dead.size() < WAITING_MAX) dead.add(each);
    }

    List<Data.Dead> next() {
      List<Data.Dead> batch = new ArrayList<>();
      while (batch.size() < DEAD_AT_ONCE && !dead.isEmpty()) batch.add(dead.remove());
      return batch;
    }

    void again(List<Data.Dead> batch) {
      for (int i = batch.size() - 1; i >= 0; i--) dead.addFirst(batch.get(i));
    }
  }

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final Store store;
  private final Questions questions;
  private final RecordDeletion kills;
  private final HomeView home;
  private final Listener listener;
  private Map<GroupId, Target> targets = new TreeMap<>();
  private Map<SeatId, Target> missed = new TreeMap<>();
  private final Map<Ended, TreeSet<Long>> sweeping = new LinkedHashMap<>();
  private List<Ended> ended = new ArrayList<>();
  private EndedSessions endedLately = new EndedSessions();
  private @Nullable RecordWalk walk;
  private final Set<SessionKey> givenUp = new LinkedHashSet<>();
  private long toldGivenUpNanos;

  public HomeReclaim(
      Basics basics, Questions questions, RecordDeletion kills, HomeView home, Listener listener) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.store = basics.store();
    this.questions = questions;
    this.kills = kills;
    this.home = home;
    this.listener = listener;
    this.toldGivenUpNanos = timers.nanos();
  }

  /** The same process stays home in a newer epoch: its pending messages and searches stay. */
  public void adopt(HomeReclaim earlier) {
    // Messages in flight come back into these if they fail.
    targets = earlier.targets;
    missed = earlier.missed;
    ended = earlier.ended;
    ended.addAll(earlier.sweeping.keySet());
    endedLately = earlier.endedLately;
    givenUp.addAll(earlier.givenUp);
    earlier.sweeping.clear();
    earlier.walk = null;
  }

  // As the home of a tree.

  public void dead(List<GroupState.DeadIn> dead) {
    for (GroupState.DeadIn each : dead) {
      targets.computeIfAbsent(each.group(), key -> new Target()).add(each.dead());
    }
  }

  public void sessionEnded(SessionKey key) {
    tellAll(
        key.instance(),
        group ->
            new Data.SessionOver(
                group.id(),
                group.epoch(),
                home.group().id(),
                key.instance(),
                key.tree(),
                key.session()));
  }

  /** A session has closed a file without publishing all that it wrote. */
  public void gaveUp(SessionKey key) {
    if (givenUp.size() < SESSIONS_MAX) givenUp.add(key);
  }

  private void tellGivenUp() {
    long now = timers.nanos();
    if (givenUp.isEmpty() || now - toldGivenUpNanos < GIVEN_UP_NANOS) return;
    toldGivenUpNanos = now;
    for (SessionKey key : givenUp) {
      tellAll(
          key.instance(),
          group ->
              new Data.PiecesGivenUp(
                  group.id(),
                  group.epoch(),
                  home.group().id(),
                  key.instance(),
                  key.tree(),
                  key.session()));
    }
    givenUp.clear();
  }

  private void tellAll(int instance, Function<Group, Message> message) {
    Instance of = maps.instance(instance);
    RingMap map = maps.map();
    if (of == null || map == null) return;
    // Not only the groups for new records: seats may have left since the session began.
    for (Group group : map.groups()) {
      if (group.id().copies() == of.copies()) tell(group.id(), message, TELLS_MAX);
    }
  }

  private void tell(GroupId target, Function<Group, Message> message, int tellsLeft) {
    questions.askHome(
        target,
        message,
        ANSWER_NANOS,
        reply -> {
          if (reply instanceof Replies.Done || tellsLeft == 0) return;
          timers.after(ANSWER_NANOS, () -> tell(target, message, tellsLeft - 1));
        });
  }

  /** Which records a seat may drop: only a leased home may say so. */
  public void askDead(Connection connection, long request, Data.AskDead message) {
    if (!home.leased()) {
      connection.send(
          request, new Replies.Failed(ErrorCode.UNAVAILABLE, home.group().id() + " has no leases"));
      return;
    }
    GroupState state = home.state();
    int instance = message.instance();
    GroupId elsewhere =
        state.hasTree(instance, message.tree()) ? null : state.groupOf(instance, message.tree());
    connection.send(
        request,
        elsewhere != null
            ? new Data.TreeIsIn(elsewhere)
            : new Data.DeadAre(
                state.dead(instance, message.tree(), message.records()), state.lastIndex()));
  }

  // As the home of a group that holds records.

  /** Drops records here and on every current member, then answers. */
  public void kill(Connection connection, long request, List<Data.Dead> dead) {
    kill(dead, done -> connection.send(request, done ? new Replies.Done() : busy()));
  }

  /** Drops what turned out to be dead, here and on every member. */
  public void drop(List<Data.Dead> dead, RecordDeletion.Killed killed) {
    kill(dead, killed);
  }

  private static Message busy() {
    return new Replies.Failed(ErrorCode.BUSY, "not all members dropped the records");
  }

  private void kill(List<Data.Dead> dead, RecordDeletion.Killed killed) {
    Group group = home.group();
    listener.killed(dead);
    int[] open = {1};
    boolean[] everywhere = {true};
    RecordDeletion.Killed one =
        done -> {
          everywhere[0] &= done;
          open[0]--;
          if (open[0] == 0) killed.killed(everywhere[0]);
        };
    for (Group.Member member : group.members()) {
      if (member.seat().equals(seat.id())) continue;
      if (!member.current()) {
        // Room must come back although it is away.
        missed(member.seat(), dead);
        continue;
      }
      open[0]++;
      questions.ask(
          member.seat(),
          new Data.KillCopies(group.id(), group.epoch(), dead),
          ANSWER_NANOS,
          reply -> one.killed(reply instanceof Replies.Done));
    }
    kills.kill(dead, one);
  }

  private void missed(SeatId member, List<Data.Dead> dead) {
    Target target = missed.computeIfAbsent(member, key -> new Target());
    dead.forEach(target::add);
    tellMissed(member, target);
  }

  /** Deletes records on a member that missed the deletion. */
  private void tellMissed(SeatId member, Target target) {
    Group group = home.group();
    if (home.stopped() || target.underWay || target.dead.isEmpty()) return;
    if (group.indexOf(member) < 0) {
      target.dead.clear();
      return;
    }
    List<Data.Dead> batch = target.next();
    target.underWay = true;
    questions.ask(
        member,
        new Data.KillCopies(group.id(), group.epoch(), batch),
        ANSWER_NANOS,
        reply -> {
          target.underWay = false;
          if (!(reply instanceof Replies.Done)) target.again(batch);
        });
  }

  /** A session has ended: its unpublished records here will be searched for. */
  public void sessionOver(Connection connection, long request, Data.SessionOver message) {
    SessionKey key = new SessionKey(message.instance(), message.tree(), message.session());
    Ended told = new Ended(key, message.treeGroup());
    // First, so that nothing comes behind the search.
    endedLately.add(told);
    ended.add(told);
    connection.send(request, new Replies.Done());
  }

  /** A session has given up pieces: their records here will be searched for. */
  public void piecesGivenUp(Connection connection, long request, Data.PiecesGivenUp message) {
    SessionKey key = new SessionKey(message.instance(), message.tree(), message.session());
    Ended told = new Ended(key, message.treeGroup());
    ended.add(told);
    // Payloads that waited for room may land behind the first search.
    timers.after(LATE_NANOS, () -> ended.add(told));
    connection.send(request, new Replies.Done());
  }

  /** Whether nothing more is taken from a session: it has ended. */
  @Override
  public boolean isOver(long session, FileId file) {
    return endedLately.find(session, file) != null;
  }

  /** A record of a session that has ended is here, perhaps behind the search for such. */
  @Override
  public void foundLate(RecordId record, FileId file) {
    Ended late = endedLately.find(record.session(), file);
    if (late != null) settle(late, List.of(record.sequence()));
  }

  public void poll() {
    if (!home.serving()) return;
    tellGivenUp();
    missed.forEach(this::tellMissed);
    targets.forEach(this::tellDead);
    targets.values().removeIf(target -> !target.underWay && target.dead.isEmpty());
    sweep();
  }

  private void tellDead(GroupId group, Target target) {
    if (target.underWay || target.dead.isEmpty()) return;
    List<Data.Dead> batch = target.next();
    target.underWay = true;
    questions.askHome(
        group,
        known -> new Data.Kill(known.id(), known.epoch(), batch),
        ANSWER_NANOS,
        reply -> {
          target.underWay = false;
          if (!(reply instanceof Replies.Done)) target.again(batch);
        });
  }

  /** Looks through a segment at a time for records of sessions that ended or gave pieces up. */
  private void sweep() {
    if (walk == null) {
      if (ended.isEmpty()) return;
      for (Ended each : ended) sweeping.put(each, new TreeSet<>());
      ended.clear();
      walk = store.walk();
    }
    if (walk.next(this::found)) return;
    walk = null;
    sweeping.forEach((each, sequences) -> settle(each, List.copyOf(sequences)));
    sweeping.clear();
  }

  private void found(RecordId id, FileId file, int group, int payloadBytes) {
    if (group != home.group().id().number()) return;
    sweeping.forEach(
        (each, sequences) -> {
          boolean matches =
              each.key().session() == id.session()
                  && each.key().instance() == file.instance()
                  && each.key().tree() == Names.treeOf(file.number());
          if (matches) sequences.add(id.sequence());
        });
  }

  private void settle(Ended over, List<Long> sequences) {
    for (int from = 0; from < sequences.size(); from += ASKED_AT_ONCE) {
      List<RecordId> part =
          sequences.subList(from, Math.min(sequences.size(), from + ASKED_AT_ONCE)).stream()
              .map(sequence -> new RecordId(over.key().session(), sequence))
              .toList();
      questions.askHome(
          over.treeGroup(),
          tree ->
              new Data.AskDead(
                  tree.id(), tree.epoch(), over.key().instance(), over.key().tree(), part),
          ANSWER_NANOS,
          reply -> {
            List<RecordId> dead = unpublished(part, reply);
            if (dead != null) killUnpublished(over, dead);
            else ended.add(over);
          });
    }
  }

  /**
   * Of the records of an ended session only those are dropped that the tree's home calls
   * unpublished (P5); null if its answer is missing, or names more records than the question.
   */
  @Rule("P5")
  private static @Nullable List<RecordId> unpublished(
      List<RecordId> asked, @Nullable Message reply) {
    if (!(reply instanceof Data.DeadAre answer)) return null;
    return answer.records().size() <= asked.size() ? answer.records() : null;
  }

  private void killUnpublished(Ended over, List<RecordId> records) {
    if (records.isEmpty()) return;
    kill(
        records.stream().map(Data.Dead::record).toList(),
        everywhere -> {
          if (!everywhere) ended.add(over);
        });
  }
}
