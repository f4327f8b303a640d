// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.ring.Group;
import io.forebay.seat.drain.naming.ConflictCheck;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one file, written by the seats of the plan and forced by each of them. A seat that
 * does not answer is replaced.
 */
public final class DrainJob extends AttemptJob {
  private final Basics basics;
  private final MapView maps;
  private final DrainQueue.Item item;
  private final long file;
  private @Nullable DrainAttempt attempt;
  private Drains.@Nullable AttemptIs told;
  private @Nullable FilePlan plan;
  private FileAttributes attributes = FileAttributes.NONE;

  /** Writes that are not sent yet, by the planned seat, in the order of the file. */
  private final Map<SeatId, ArrayDeque<Integer>> writes = new TreeMap<>();

  private final Map<SeatId, Integer> underWay = new TreeMap<>();
  private final DrainWindow window = new DrainWindow();

  /** The seats that wrote, each with its process. */
  private final Map<SeatId, Long> writers = new TreeMap<>();

  /** Seats that were asked to write, and may have the attempt open. */
  private final TreeSet<SeatId> asked = new TreeSet<>();

  /** The checksums of finished writes, by write. */
  private final TreeMap<Integer, Integer> written = new TreeMap<>();

  /** Seats that did not answer once, such as before the first connection, and more than once. */
  private final TreeSet<SeatId> missed = new TreeSet<>();

  private final TreeSet<SeatId> silent = new TreeSet<>();
  private int openWrites;
  private int unforced;
  private long doneBytes;

  public DrainJob(Basics basics, Questions questions, DrainedTree tree, DrainQueue.Item item) {
    super(basics, questions, tree);
    this.basics = basics;
    this.maps = basics.maps();
    this.item = item;
    this.file = item.file().number();
  }

  public long doneBytes() {
    return doneBytes;
  }

  public void start() {
    BackingView view = tree.view();
    Names.Attributes known = view == null ? null : view.attributes(file);
    if (view == null || known == null) {
      end(null, "the file is gone");
      return;
    }
    attributes = TreeContext.attributesOf(known);
    if (view.isLost(file)) {
      BackingFailure lost = ConflictCheck.lost(view.entry(file).path());
      end(lost, lost.sentence());
      return;
    }
    String problem = BackingPath.problemWith(view.entry(file).path().substring(1));
    if (problem == null) problem = Packing.problemWith(view.entry(file).path());
    if (problem != null) {
      end(new BackingFailure.WrongKind(problem), problem);
      return;
    }
    tree.propose(
        new GroupCommand.BeginDrain(
            tree.instance(), tree.tree(), file, known.version(), wallClock.nanos()),
        this::attempted);
  }

  private void attempted(GroupState.@Nullable Applied applied) {
    if (isOver()) return;
    BackingView view = tree.view();
    DrainAttempt now = view == null ? null : view.attempt(file);
    Backing backing = tree.backing();
    boolean begins = applied != null && applied.reply() instanceof Replies.Done;
    if (view == null || now == null || !begins) {
      end(null, applied == null ? LOST_HOME : String.valueOf(applied.reply()));
      return;
    }
    attempt = now;
    moveTo(State.OPENING);
    if (backing == null || backing.room() == 0) {
      takeBack(null, "the backing store is busy");
      return;
    }
    // At once, so that it shows the file as the entry found it.
    if (!plan()) return;
    AttemptPlan first = tree.attempt(file, now, attributes).plan();
    // While names in the store are about to change, the expected content is unknown.
    long mark = view.settledMark();
    BackingView.Expected expected = mark < 0 ? null : view.expected(file, now.target());
    BackingView.Stored needed = mark >= 0 && view.needsBacking(file) ? view.stored(file) : null;
    backing.submit(
        store -> {
          ConflictCheck.requireExpected(store, first.target(), expected);
          ConflictCheck.requireThere(store, needed);
          return store.begin(first);
        },
        answer -> {
          switch (answer) {
            case Backing.Answer.Done<Attempt> done -> begun(done.value());
            case Backing.Answer.Failed<Attempt> failed -> notBegun(failed.failure(), mark);
          }
        });
  }

  /** Plans the file as it is now; says whether it can be stored. */
  private boolean plan() {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    if (view == null || backing == null || attempt == null) return false;
    Capabilities can = backing.capabilities();
    switch (FilePlan.of(basics, tree.instance(), file, attempt.sizeBytes(), view, can)) {
      case FilePlan.Planned planned -> plan = planned.plan();
      case FilePlan.TooLarge large -> {
        takeBack(new BackingFailure.WrongKind(large.sentence()), large.sentence());
        return false;
      }
    }
    return true;
  }

  private void notBegun(BackingFailure failure, long mark) {
    BackingView view = tree.view();
    boolean settled = view != null && view.settledMark() == mark;
    // A change that this home made itself is no conflict.
    boolean own = failure instanceof BackingFailure.ChangedUnderneath && !settled;
    takeBack(own ? null : failure, failure.sentence());
  }

  /** Nothing is written before the journal has the handle of the attempt (P21). */
  @Rule("P21")
  @Override
  void opened(Attempt given) {
    told = BackingAttempts.told(given);
  }

  @Override
  void noted() {
    if (is(State.NOTING)) writeAsPlanned();
  }

  /** An attempt stores the file as it was when the journal began the attempt (P21). */
  @Rule("P21")
  private void writeAsPlanned() {
    write();
  }

  private void write() {
    if (plan == null) return;
    moveTo(State.WRITING);
    for (int write = 0; write < plan.writeCount(); write++) queueOf(write).add(write);
    send();
  }

  /** Now and then: writes go on when the pace allows, and the dead are replaced (P23). */
  public void tick() {
    send();
  }

  private void send() {
    if (!is(State.WRITING) || plan == null || !tree.active()) return;
    boolean left = false;
    for (ArrayDeque<Integer> queue : writes.values()) {
      while (!queue.isEmpty() && maySend()) {
        SeatId holder = plan.holder(queue.element(), silent, basics);
        if (underWay.getOrDefault(holder, 0) >= window.writes()) break;
        send(queue.remove(), holder);
      }
      left |= !queue.isEmpty();
    }
    if (left || openWrites > 0) return;
    forceAll();
  }

  private boolean maySend() {
    boolean inOrder = plan != null && plan.inOrder();
    return tree.mayWrite() && !(inOrder && openWrites > 0);
  }

  private ArrayDeque<Integer> queueOf(int write) {
    SeatId planned = plan == null ? seat.id() : plan.planned(write);
    return writes.computeIfAbsent(planned, key -> new ArrayDeque<>());
  }

  private void send(int write, SeatId holder) {
    Drains.AttemptIs attemptIs = told;
    FilePlan from = plan;
    if (attemptIs == null || from == null) return;
    openWrites++;
    asked.add(holder);
    underWay.merge(holder, 1, Integer::sum);
    int bytes = from.lengthBytes(write);
    tree.written(bytes);
    long askedNanos = timers.nanos();
    questions.ask(
        holder,
        from.message(write, attemptIs, tree.home().group()),
        WRITE_NANOS,
        reply -> {
          openWrites--;
          underWay.merge(holder, -1, Integer::sum);
          if (isOver()) return;
          if (reply instanceof Drains.ChunkWritten chunk) {
            Long before = writers.putIfAbsent(holder, chunk.start());
            if (before != null && before != chunk.start()) {
              lostWriter(holder);
              return;
            }
            doneBytes += bytes;
            written.put(write, chunk.checksum());
            succeeded();
            window.took(timers.nanos() - askedNanos);
            tree.works();
            send();
          } else {
            failed(write, holder, reply);
          }
        });
  }

  /** The seat's writes may be lost with its process. */
  private void lostWriter(SeatId writer) {
    String why = maps.serverOf(writer) + " was lost before what it wrote was forced";
    takeBack(new BackingFailure.Other(why), why);
  }

  private void failed(int write, SeatId holder, @Nullable Message reply) {
    if (reply == null && !missed.add(holder)) silent.add(holder);
    if (isPassing(reply) && retry(this::send)) {
      // It comes first again: some stores want their parts in order.
      queueOf(write).addFirst(write);
    } else {
      takeBackFor(reply, holder + " is silent");
    }
  }

  /** A file gets its name only when all seats that wrote have forced what they wrote (P21). */
  @Rule("P21")
  private void forceAll() {
    moveTo(State.FORCING);
    // An empty file has no writers, but must be durable nevertheless.
    if (writers.isEmpty()) writers.put(seat.id(), seat.processStart());
    unforced = writers.size();
    succeeded();
    new TreeMap<>(writers).forEach(this::force);
  }

  private void force(SeatId writer, long start) {
    Drains.AttemptIs attemptIs = told;
    if (attemptIs == null || isOver()) return;
    // It may never answer, and its connection may stay open.
    if (maps.away(writer)) {
      lostWriter(writer);
      return;
    }
    Group group = tree.home().group();
    questions.ask(
        writer,
        new Drains.ForceChunks(group.id(), group.epoch(), tree.instance(), attemptIs, start),
        WRITE_NANOS,
        reply -> {
          if (isOver()) return;
          if (reply instanceof Replies.Done) {
            if (--unforced == 0) forced();
            return;
          }
          boolean mayHelp = isPassing(reply) && !maps.away(writer);
          if (mayHelp && retry(() -> force(writer, start))) return;
          if (reply instanceof Replies.Failed failed) {
            takeBack(new BackingFailure.Other(failed.detail()), failed.detail());
          } else {
            lostWriter(writer);
          }
        });
  }

  private void forced() {
    moveTo(State.VERIFYING);
    verify();
  }

  /** Reads the written bytes back, one write at a time, if the policy wants it (P23). */
  private void verify() {
    Backing backing = tree.backing();
    FilePlan from = plan;
    Attempt stored = begun();
    Map.Entry<Integer, Integer> next = written.pollFirstEntry();
    boolean wanted = backing != null && isReadBack(backing);
    if (!wanted || backing == null || next == null || from == null || stored == null) {
      commitWritten();
      return;
    }
    Runnable again =
        () -> {
          written.put(next.getKey(), next.getValue());
          verify();
        };
    if (backing.room() == 0) {
      later(again);
      return;
    }
    int write = next.getKey();
    backing.checksum(
        stored,
        from.offset(write),
        from.lengthBytes(write),
        found -> compare(found, next.getValue(), this::verify, again));
  }

  private void commitWritten() {
    if (attempt == null || plan == null) return;
    if (doneBytes != plan.writtenBytes()) {
      throw new IllegalStateException(
          doneBytes + " of " + plan.writtenBytes() + " bytes of file " + file + " are written");
    }
    commit();
  }

  @Override
  @Nullable Attempt planned() {
    return attempt == null ? null : tree.attempt(file, attempt, attributes);
  }

  @Override
  void suspectLeftovers() {
    if (attempt != null) tree.leftovers().suspect(attempt);
  }

  @Override
  void aborted(Attempt gone) {
    // Not before: a write that is on its way would open it again.
    BackingAttempts.tellOver(questions, gone, asked);
  }

  @Override
  GroupCommand noteCommand(String handle) {
    return new GroupCommand.NoteHandle(tree.instance(), tree.tree(), file, number(), handle);
  }

  @Override
  GroupCommand commitCommand() {
    return new GroupCommand.CommitDrain(tree.instance(), tree.tree(), file, number());
  }

  @Override
  GroupCommand endCommand() {
    return new GroupCommand.EndDrain(tree.instance(), tree.tree(), file, number());
  }

  private int number() {
    if (attempt == null) throw new IllegalStateException("no attempt at file " + file);
    return attempt.number();
  }

  @Override
  void ended(@Nullable BackingFailure failure, String why) {
    tree.ended(item, failure, why);
  }
}
