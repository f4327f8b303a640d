// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.pack.PackFolder;
import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.ring.Group;
import io.forebay.seat.drain.naming.PackNaming;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Self;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.part.WallClock;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at several small files, from its first entry in the journal until it waits for its
 * name, as {@link DrainJob} is one at a single file. The home writes all of it, in one go. What
 * fails ends the attempt, which is then taken back in the store and in the journal.
 */
final class PackJob {
  private static final Drains.Backed NOTHING = new Drains.Backed("", "", 0);

  private final DrainedTree tree;
  private final Packing packing;
  private final Self seat;
  private final Timers timers;
  private final WallClock wallClock;
  private final Questions questions;

  /** What is to be stored, by file. */
  private final Map<Long, DrainQueue.Item> items = new LinkedHashMap<>();

  private long order;
  private @Nullable Attempt begun;
  private @Nullable Attempt planned;
  private Drains.@Nullable WriteChunk chunk;
  private int checksum;
  private int tries;
  private boolean written;
  private boolean over;

  /** Files that cannot be stored together with others now. */
  private final Set<Long> loners = new TreeSet<>();

  PackJob(
      Basics basics,
      Questions questions,
      DrainedTree tree,
      Packing packing,
      List<DrainQueue.Item> items) {
    this.seat = basics.self();
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.questions = questions;
    this.tree = tree;
    this.packing = packing;
    for (DrainQueue.Item item : items) this.items.put(item.file().number(), item);
  }

  boolean contains(long file) {
    return items.containsKey(file);
  }

  List<DrainQueue.Item> items() {
    return List.copyOf(items.values());
  }

  /** 0 until the journal has it. */
  long order() {
    return order;
  }

  boolean isWritten() {
    return written;
  }

  Set<Long> loners() {
    return loners;
  }

  void start() {
    BackingView view = tree.view();
    List<Long> files = new ArrayList<>();
    List<Long> versions = new ArrayList<>();
    for (long file : items.keySet()) {
      Names.Attributes known = view == null ? null : view.attributes(file);
      if (known == null) continue;
      files.add(file);
      versions.add(known.version());
    }
    tree.propose(
        new GroupCommand.BeginPack(
            tree.instance(), tree.tree(), files, versions, wallClock.nanos()),
        this::attempted);
  }

  private void attempted(GroupState.@Nullable Applied applied) {
    BackingView view = tree.view();
    boolean begins = applied != null && applied.reply() instanceof Replies.Done;
    if (view == null || !begins) {
      end(null, applied == null ? BackingAttempts.LOST_HOME : String.valueOf(applied.reply()));
      return;
    }
    order = orderOf(view);
    OpenPack pack = view.pack(order);
    if (pack == null) {
      end(null, "the files have changed");
      return;
    }
    items.keySet().retainAll(pack.files());
    Backing backing = tree.backing();
    if (backing == null || backing.room() == 0) {
      takeBack(null, "the backing store is busy");
      return;
    }
    // At once, so that it shows the files as the entry found them.
    Attempt first = packing.attempt(pack);
    planned = first;
    chunk = plan(pack, view, first);
    Map<BackingPath, PackNaming.MayReplace> expected = packing.expected(pack, view);
    backing.submit(
        store -> {
          Set<BackingPath> taken = PackNaming.taken(store, expected);
          return taken.isEmpty()
              ? new Began(store.begin(first.plan()), taken)
              : new Began(first, taken);
        },
        answer -> {
          switch (answer) {
            case Backing.Answer.Failed<Began> failed ->
                takeBack(failed.failure(), failed.failure().sentence());
            case Backing.Answer.Done<Began> done -> {
              if (done.value().taken().isEmpty()) begun(done.value().attempt());
              else taken(pack, done.value().taken());
            }
          }
        });
  }

  private long orderOf(BackingView view) {
    for (long file : items.keySet()) {
      DrainAttempt attempt = view.attempt(file);
      if (attempt != null && attempt.pack() > 0) return attempt.pack();
    }
    return 0;
  }

  /** An attempt that has begun, unless names are taken by somebody else. */
  private record Began(Attempt attempt, Set<BackingPath> taken) {}

  /** Somebody else's files have these names: each is told of when it is drained by itself. */
  private void taken(OpenPack pack, Set<BackingPath> names) {
    for (int i = 0; i < pack.files().size(); i++) {
      if (names.contains(BackingPath.of(pack.targets().get(i)))) loners.add(pack.files().get(i));
    }
    takeBack(null, "somebody else has files of the same names");
  }

  private Drains.WriteChunk plan(OpenPack pack, BackingView view, Attempt attempt) {
    List<Drains.Source> sources = new ArrayList<>();
    List<Drains.Member> members = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < pack.files().size(); i++) {
      long file = pack.files().get(i);
      int size = Math.toIntExact(pack.sizes().get(i));
      int base = at;
      view.extents(
          file,
          extent -> {
            if (extent.offset() >= size) return false;
            sources.add(
                new Drains.Source(
                    base + (int) extent.offset(),
                    (int) Math.min(extent.lengthBytes(), size - extent.offset()),
                    new GroupId(extent.group()),
                    extent.record(),
                    extent.recordOffset()));
            return true;
          });
      members.add(member(view, file, pack.targets().get(i), size));
      at += size;
    }
    Group group = tree.home().group();
    return new Drains.WriteChunk(
        group.id(),
        group.epoch(),
        tree.instance(),
        BackingAttempts.told(attempt),
        0,
        at,
        NOTHING,
        sources,
        members);
  }

  private static Drains.Member member(BackingView view, long file, String target, int size) {
    FileAttributes attributes = TreeContext.attributesOf(view.attributes(file));
    BackingView.Stored stored = view.stored(file);
    return new Drains.Member(
        target,
        size,
        attributes.mode(),
        attributes.user(),
        attributes.group(),
        attributes.modifyNanos(),
        stored == null
            ? NOTHING
            : new Drains.Backed(stored.name(), stored.contentTag(), stored.backedBytes()));
  }

  private void begun(Attempt given) {
    if (over || tree.home().stopped()) {
      over = true;
      BackingAttempts.discard(timers, tree, given);
      return;
    }
    begun = given;
    Drains.WriteChunk plan = chunk;
    if (plan == null) return;
    chunk =
        new Drains.WriteChunk(
            plan.treeGroup(),
            plan.epoch(),
            plan.instance(),
            BackingAttempts.told(given),
            plan.offset(),
            plan.lengthBytes(),
            plan.backed(),
            plan.sources(),
            plan.members());
    // Before its first byte, so that whoever comes after this home can take it back (P21).
    tree.propose(
        new GroupCommand.NotePack(tree.instance(), tree.tree(), order, given.handle()),
        applied -> {
          if (applied == null) end(null, BackingAttempts.LOST_HOME);
          else write();
        });
  }

  private void write() {
    Drains.WriteChunk wanted = chunk;
    if (over || wanted == null) return;
    if (!tree.active() || !tree.mayWrite()) {
      timers.after(BackingAttempts.AGAIN_NANOS, this::write);
      return;
    }
    tree.written(wanted.lengthBytes());
    questions.ask(
        seat.id(),
        wanted,
        BackingAttempts.WRITE_NANOS,
        reply -> {
          if (over) return;
          if (reply instanceof Drains.ChunkWritten chunkWritten) {
            checksum = chunkWritten.checksum();
            tries = 0;
            tree.works();
            force(chunkWritten.start());
          } else if (BackingAttempts.isPassing(reply) && ++tries < BackingAttempts.TRIES_MAX) {
            timers.after(BackingAttempts.AGAIN_NANOS, this::write);
          } else {
            // One file of which something is missing shall not keep the others.
            if (isMissing(reply)) loners.addAll(items.keySet());
            failed(reply);
          }
        });
  }

  private static boolean isMissing(@Nullable Message reply) {
    return reply instanceof Replies.Failed failed && failed.code() == ErrorCode.GONE;
  }

  private void failed(@Nullable Message reply) {
    BackingFailure failure = BackingAttempts.failure(reply, "no answer in time");
    takeBack(failure, failure.sentence());
  }

  private void force(long start) {
    Drains.WriteChunk wrote = chunk;
    if (wrote == null) return;
    Group group = tree.home().group();
    questions.ask(
        seat.id(),
        new Drains.ForceChunks(group.id(), group.epoch(), tree.instance(), wrote.attempt(), start),
        BackingAttempts.WRITE_NANOS,
        reply -> {
          if (over) return;
          if (reply instanceof Replies.Done) {
            tries = 0;
            verify();
          } else if (BackingAttempts.isPassing(reply) && ++tries < BackingAttempts.TRIES_MAX) {
            timers.after(BackingAttempts.AGAIN_NANOS, () -> force(start));
          } else {
            failed(reply);
          }
        });
  }

  /** Reads it back if the policy wants it (P23). */
  private void verify() {
    Backing backing = tree.backing();
    Attempt stored = begun;
    boolean wanted =
        tree.verifies()
            && backing != null
            && backing.capabilities().verification() == Capabilities.Verification.READ_BACK;
    if (!wanted || backing == null || stored == null) {
      commit();
      return;
    }
    if (backing.room() == 0) {
      timers.after(BackingAttempts.AGAIN_NANOS, this::verify);
      return;
    }
    backing.checksum(
        stored,
        0,
        stored.plan().sizeBytes(),
        answer -> {
          if (over) return;
          switch (answer) {
            case Backing.Answer.Done<Integer> done when done.value() == checksum -> commit();
            case Backing.Answer.Done<Integer> done -> {
              String why = "the backing store does not have the bytes that it was given";
              takeBack(new BackingFailure.Changed(why), why);
            }
            case Backing.Answer.Failed<Integer> failed -> unverified(failed.failure());
          }
        });
  }

  private void unverified(BackingFailure failure) {
    if (failure instanceof BackingFailure.Unsupported) {
      commit();
    } else if (failure.advice() == BackingFailure.Advice.TRY_AGAIN
        && ++tries < BackingAttempts.TRIES_MAX) {
      timers.after(BackingAttempts.AGAIN_NANOS, this::verify);
    } else {
      takeBack(failure, failure.sentence());
    }
  }

  private void commit() {
    written = true;
    tree.propose(
        new GroupCommand.CommitPack(tree.instance(), tree.tree(), order),
        applied -> {
          if (applied == null) end(null, BackingAttempts.LOST_HOME);
          else if (applied.reply() instanceof Replies.Done) end(null, "");
          else takeBack(null, String.valueOf(applied.reply()));
        });
  }

  /** Ends at once; tells what has to be removed from the store, if anything. */
  @Nullable Attempt abandon() {
    over = true;
    return begun;
  }

  /** Removes what the attempt left in the store, and ends it in the journal. */
  private void takeBack(@Nullable BackingFailure failure, String why) {
    if (over) return;
    over = true;
    tree.leftovers().suspect(PackFolder.PATH);
    Backing backing = tree.backing();
    Attempt gone = begun == null ? planned : begun;
    if (backing == null || gone == null || backing.room() == 0) {
      // It is taken back as that of a home before.
      packing.ended(this, failure, why);
      return;
    }
    backing.abort(
        gone,
        answer -> {
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing>) {
            packing.ended(this, failure, why);
            return;
          }
          tree.propose(
              new GroupCommand.EndPack(tree.instance(), tree.tree(), order),
              applied -> packing.ended(this, failure, why));
        });
  }

  private void end(@Nullable BackingFailure failure, String why) {
    if (over) return;
    over = true;
    packing.ended(this, failure, why);
  }
}
