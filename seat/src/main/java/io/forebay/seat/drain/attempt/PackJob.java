// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.pack.PackFolder;
import io.forebay.base.GroupId;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.ring.Group;
import io.forebay.seat.drain.naming.PackNaming;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.TreeContext;
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
 * One attempt at several small files, as {@link DrainJob} is one at a single file. The home writes
 * all of it, in one request.
 */
final class PackJob extends AttemptJob {
  private static final Drains.Backed NOTHING = new Drains.Backed("", "", 0);

  private final Packing packing;

  /** The files to store, by number. */
  private final Map<Long, DrainQueue.Item> items = new LinkedHashMap<>();

  private long order;
  private @Nullable Attempt planned;
  private Drains.@Nullable WriteChunk chunk;
  private int checksum;

  /** Files that cannot be stored together with others now. */
  private final Set<Long> loners = new TreeSet<>();

  PackJob(
      Basics basics,
      Questions questions,
      DrainedTree tree,
      Packing packing,
      List<DrainQueue.Item> items) {
    super(basics, questions, tree);
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
    return is(State.COMMITTING);
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
    if (isOver()) return;
    BackingView view = tree.view();
    boolean begins = applied != null && applied.reply() instanceof Replies.Done;
    if (view == null || !begins) {
      end(null, applied == null ? LOST_HOME : String.valueOf(applied.reply()));
      return;
    }
    moveTo(State.OPENING);
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

  /** A begun attempt, and names that other programs' files have. */
  private record Began(Attempt attempt, Set<BackingPath> taken) {}

  /**
   * Other programs' files have these names: each conflict is reported when the file is drained on
   * its own.
   */
  private void taken(OpenPack pack, Set<BackingPath> names) {
    for (int i = 0; i < pack.files().size(); i++) {
      if (names.contains(BackingPath.of(pack.targets().get(i)))) loners.add(pack.files().get(i));
    }
    takeBack(null, "another program has files of the same names");
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

  @Override
  void opened(Attempt given) {
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
  }

  @Override
  void noted() {
    moveTo(State.WRITING);
    write();
  }

  private void write() {
    Drains.WriteChunk wanted = chunk;
    if (isOver() || wanted == null) return;
    if (!tree.active() || !tree.mayWrite()) {
      later(this::write);
      return;
    }
    tree.written(wanted.lengthBytes());
    questions.ask(
        seat.id(),
        wanted,
        WRITE_NANOS,
        reply -> {
          if (isOver()) return;
          if (reply instanceof Drains.ChunkWritten chunkWritten) {
            checksum = chunkWritten.checksum();
            succeeded();
            tree.works();
            moveTo(State.FORCING);
            force(chunkWritten.start());
          } else if (!isPassing(reply) || !retry(this::write)) {
            // One file with missing bytes must not block the others.
            if (isMissing(reply)) loners.addAll(items.keySet());
            failed(reply);
          }
        });
  }

  private static boolean isMissing(@Nullable Message reply) {
    return reply instanceof Replies.Failed failed && failed.code() == ErrorCode.GONE;
  }

  private void failed(@Nullable Message reply) {
    takeBackFor(reply, "no answer in time");
  }

  private void force(long start) {
    Drains.WriteChunk wrote = chunk;
    if (wrote == null) return;
    Group group = tree.home().group();
    questions.ask(
        seat.id(),
        new Drains.ForceChunks(group.id(), group.epoch(), tree.instance(), wrote.attempt(), start),
        WRITE_NANOS,
        reply -> {
          if (isOver()) return;
          if (reply instanceof Replies.Done) {
            succeeded();
            moveTo(State.VERIFYING);
            verify();
          } else if (!isPassing(reply) || !retry(() -> force(start))) {
            failed(reply);
          }
        });
  }

  /** Reads it back if the policy wants it (P23). */
  private void verify() {
    Backing backing = tree.backing();
    Attempt stored = begun();
    if (backing == null || stored == null || !isReadBack(backing)) {
      commit();
    } else if (backing.room() == 0) {
      later(this::verify);
    } else {
      backing.checksum(
          stored,
          0,
          stored.plan().sizeBytes(),
          found -> compare(found, checksum, this::commit, this::verify));
    }
  }

  @Override
  @Nullable Attempt planned() {
    return planned;
  }

  @Override
  void suspectLeftovers() {
    tree.leftovers().suspect(PackFolder.PATH);
  }

  @Override
  void aborted(Attempt gone) {
    // Only the home has it open, and closes it when it is idle.
  }

  @Override
  GroupCommand noteCommand(String handle) {
    return new GroupCommand.NotePack(tree.instance(), tree.tree(), order, handle);
  }

  @Override
  GroupCommand commitCommand() {
    return new GroupCommand.CommitPack(tree.instance(), tree.tree(), order);
  }

  @Override
  GroupCommand endCommand() {
    return new GroupCommand.EndPack(tree.instance(), tree.tree(), order);
  }

  @Override
  void ended(@Nullable BackingFailure failure, String why) {
    packing.ended(this, failure, why);
  }
}
