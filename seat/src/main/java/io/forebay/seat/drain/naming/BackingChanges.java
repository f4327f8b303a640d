// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.RetryPace;
import io.forebay.backing.Sighting;
import io.forebay.backing.pack.PackFolder;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.namespace.tree.drain.PackOutcome;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.part.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes of a tree's backing store, one after the other (P24). Each can be retried: a
 * new home begins with the pending one. An unknown outcome is settled by a look at the store (P23).
 */
public final class BackingChanges {
  /**
   * The outcome of a change.
   *
   * @param contentTag after a commit or a rename, the store's tag of the content
   * @param underneath why another program's file was not replaced
   */
  private record Outcome(boolean done, String contentTag, @Nullable BackingFailure underneath) {}

  private static final Outcome DONE = new Outcome(true, "", null);
  private static final Outcome IMPOSSIBLE = new Outcome(false, "", null);

  private final Timers timers;
  private final WallClock wallClock;
  private final TreeContext tree;
  private final Packs packs;
  private final RetryPace pace;
  private boolean underWay;
  private long notBeforeNanos;

  /** Under what notes are being made, or null. */
  private @Nullable AttemptId noting;

  private final BackingFence lateCalls;

  public BackingChanges(Basics basics, BackingFence.Sent sent, TreeContext tree, Packs packs) {
    this.packs = packs;
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.tree = tree;
    this.pace = tree.newPace();
    this.notBeforeNanos = timers.nanos();
    this.lateCalls = new BackingFence(sent, basics.self().processStart(), timers::nanos);
  }

  public void poll() {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    if (underWay || view == null || backing == null || !tree.active()) return;
    BackingChange next = view.nextChange();
    if (next == null || timers.nanos() - notBeforeNanos < 0 || backing.room() == 0) return;
    BackingNotes notes = new BackingNotes(view);
    if (!isRepeatable(next, notes) && !maySend(next.number(), view)) return;
    underWay = true;
    if (next instanceof BackingChange.CommitPack pack) {
      namePack(pack, view, backing);
    } else if (!notes.isEmpty()) {
      note(notes, backing);
    } else {
      backing.submit(operation(next, view), answer -> answered(next, answer));
    }
  }

  private boolean maySend(long change, BackingView view) {
    switch (lateCalls.before(change, view.calls())) {
      case BackingFence.Verdict.Wait wait -> {
        return false;
      }
      case BackingFence.Verdict.Note note -> {
        underWay = true;
        tree.propose(
            new GroupCommand.CallBacking(tree.instance(), tree.tree(), note.call()),
            applied -> {
              underWay = false;
              if (applied != null) poll();
            });
        return false;
      }
      case BackingFence.Verdict.Send send -> {
        lateCalls.sends(change);
        return true;
      }
    }
  }

  /** Until when, and for what, names in the store wait, as a sentence; empty if they do not. */
  public String waitsFor() {
    BackingView view = tree.view();
    return view == null ? "" : lateCalls.waitsFor(view.calls(), wallClock.nanos());
  }

  public @Nullable AttemptId noting() {
    return noting;
  }

  private void note(BackingNotes notes, Backing backing) {
    AttemptId id = packs.noteId(notes.firstChange());
    noting = id;
    backing.run(
        notes.action(id, fence()),
        answer -> {
          noting = null;
          switch (answer) {
            case Backing.Answer.Failed<Backing.Nothing> failed -> {
              tree.leftovers().suspect(PackFolder.PATH);
              failed(notes.firstChange(), failed.failure());
            }
            case Backing.Answer.Done<Backing.Nothing> done -> {
              worked(notes.firstChange());
              packs.sweepSoon();
              journal(
                  notes.firstChange(),
                  new GroupCommand.BackingNoted(
                      tree.instance(),
                      tree.tree(),
                      notes.firstChange(),
                      notes.count(),
                      wallClock.nanos()));
            }
          }
        });
  }

  private void namePack(BackingChange.CommitPack change, BackingView view, Backing backing) {
    OpenPack pack = view.pack(change.pack());
    if (pack == null) throw new IllegalStateException("no pack " + change.pack());
    Attempt stored = packs.attempt(pack);
    List<String> contentTags = packs.contentTags(pack);
    Map<BackingPath, PackNaming.MayReplace> expected = packs.expected(pack, view);
    Step fence = fence();
    backing.submit(
        store -> PackNaming.name(store, stored, expected, fence),
        answer -> {
          switch (answer) {
            case Backing.Answer.Failed<PackNaming.Named> failed ->
                failed(change.number(), failed.failure());
            case Backing.Answer.Done<PackNaming.Named> done -> {
              worked(change.number());
              List<Integer> refused = refused(pack, done.value(), backing);
              packs.sweepSoon();
              PackOutcome outcome =
                  new PackOutcome(change.number(), done.value().done(), contentTags, refused);
              journal(
                  change.number(),
                  new GroupCommand.PackCommitted(
                      tree.instance(), tree.tree(), outcome, wallClock.nanos()));
            }
          }
        });
  }

  private List<Integer> refused(OpenPack pack, PackNaming.Named named, Backing backing) {
    List<Integer> refused = new ArrayList<>();
    for (int i = 0; i < pack.files().size(); i++) {
      BackingPath target = BackingPath.of(pack.targets().get(i));
      if (!named.taken().contains(target)) continue;
      refused.add(i);
      long file = pack.files().get(i);
      packs.isTaken(file);
      String why = ConflictCheck.conflict(backing.description(), target).sentence();
      tree.changedUnderneath(file, why);
    }
    return refused;
  }

  /** Fails when this home may not act any more; asked where the store is called, on any thread. */
  private Step fence() {
    long untilNanos = timers.nanos() + tree.home().leaseNanos();
    return () -> {
      if (timers.nanos() - untilNanos < 0) return;
      throw new BackingException(
          new BackingFailure.Unavailable("this server was slow to change a name; it tries again"));
    };
  }

  private Backing.Operation<Outcome> operation(BackingChange change, BackingView view) {
    Step fence = fence();
    return switch (change) {
      case BackingChange.Commit c -> commit(c, view);
      case BackingChange.Rename c ->
          rename(
              view.stored(c.file()),
              BackingPath.of(c.name()),
              view.expected(c.file(), c.name()),
              fence);
      case BackingChange.Delete c -> delete(view.stored(c.file()), fence);
      case BackingChange.DeleteName c -> deleteName(c, view.expected(0, c.name()), fence);
      case BackingChange.RemoveDirectory c ->
          store -> {
            ignoringAbsence(() -> store.removeDirectory(BackingPath.of(c.name())));
            return DONE;
          };
      // For content outside packs there is nothing to note.
      case BackingChange.Forget c -> store -> DONE;
      case BackingChange.CommitPack c -> throw new IllegalStateException("a pack is named apart");
    };
  }

  private Backing.Operation<Outcome> commit(BackingChange.Commit change, BackingView view) {
    DrainAttempt attempt = view.attempt(change.file());
    if (attempt == null) return store -> IMPOSSIBLE;
    FileAttributes attributes = TreeContext.attributesOf(view.attributes(change.file()));
    Attempt stored = tree.attempt(change.file(), attempt, attributes);
    String called = finalName(change);
    BackingPath name = BackingPath.of(called);
    BackingView.Expected expected = view.expected(change.file(), called);
    return store -> {
      boolean named = store.capabilities().nameAtCommit() || stored.plan().target().equals(name);
      if (!named) {
        store.abort(stored);
        return IMPOSSIBLE;
      }
      Sighting sighting = store.look(stored, name);
      if (sighting == Sighting.GONE) return IMPOSSIBLE;
      if (sighting == Sighting.PENDING) {
        BackingFailure underneath = conflict(store, name, expected);
        if (underneath != null) {
          store.abort(stored);
          return new Outcome(false, "", underneath);
        }
      }
      store.commit(stored, name);
      if (store.capabilities().verification() == Capabilities.Verification.NONE) {
        // It keeps nothing, so there is nothing to look at either.
        return new Outcome(true, stored.handle(), null);
      }
      BackingFile there = store.stat(name);
      if (there.sizeBytes() != attempt.sizeBytes()) {
        throw new BackingException(
            new BackingFailure.Changed(
                "'%s' has %d bytes in %s, and not %d"
                    .formatted(name, there.sizeBytes(), store.description(), attempt.sizeBytes())));
      }
      return new Outcome(true, there.version(), null);
    };
  }

  /** A file gets the name that it has when the commit is journalled (P24). */
  @Rule("P24")
  private String finalName(BackingChange.Commit change) {
    return change.name();
  }

  private static @Nullable BackingFailure conflict(
      BackingStore store, BackingPath name, BackingView.@Nullable Expected expected)
      throws BackingException {
    try {
      ConflictCheck.requireExpected(store, name, expected);
      return null;
    } catch (BackingException e) {
      if (e.failure() instanceof BackingFailure.ChangedUnderneath changed) return changed;
      throw e;
    }
  }

  private static Backing.Operation<Outcome> rename(
      BackingView.@Nullable Stored known,
      BackingPath to,
      BackingView.@Nullable Expected expected,
      Step fence) {
    if (known == null) return store -> DONE;
    BackingPath from = BackingPath.of(known.name());
    return store -> {
      // Only this file's own content: another program may have put another file there.
      if (ConflictCheck.isVersion(store, from, known.contentTag())) {
        ConflictCheck.requireExpected(store, to, expected);
        fence.run();
        store.rename(from, to);
      } else if (!isRenamed(store, known, to, expected)) {
        return IMPOSSIBLE;
      }
      return new Outcome(true, store.stat(to).version(), null);
    };
  }

  /**
   * Whether it was renamed before, without an answer; else another program has removed it. Some
   * stores change the tag at a rename: then the file is recognized by differing from what was there
   * before.
   */
  private static boolean isRenamed(
      BackingStore store,
      BackingView.Stored known,
      BackingPath to,
      BackingView.@Nullable Expected expected)
      throws BackingException {
    if (ConflictCheck.isVersion(store, to, known.contentTag())) return true;
    if (!ConflictCheck.exists(store, to)) return false;
    return expected == null
        || expected.contentTag().isEmpty()
        || !ConflictCheck.isVersion(store, to, expected.contentTag());
  }

  private static Backing.Operation<Outcome> deleteName(
      BackingChange.DeleteName change, BackingView.@Nullable Expected expected, Step fence) {
    if (expected != null && expected.contentTag().isEmpty()) return store -> DONE;
    String contentTag = expected == null ? BackingStore.ANY_VERSION : expected.contentTag();
    return store -> {
      fence.run();
      ignoringAbsence(() -> store.delete(BackingPath.of(change.name()), contentTag));
      return DONE;
    };
  }

  private static Backing.Operation<Outcome> delete(BackingView.@Nullable Stored known, Step fence) {
    if (known == null) return store -> DONE;
    return store -> {
      fence.run();
      // Only what this file stored: a later one may have the name already.
      ignoringAbsence(() -> store.delete(BackingPath.of(known.name()), known.contentTag()));
      return DONE;
    };
  }

  interface Step {
    void run() throws BackingException;
  }

  /**
   * A node that does not exist, is not empty, or belongs to another program need not or must not be
   * removed.
   */
  private static void ignoringAbsence(Step step) throws BackingException {
    try {
      step.run();
    } catch (BackingException e) {
      boolean fine =
          e.failure() instanceof BackingFailure.NotFound
              || e.failure() instanceof BackingFailure.NotEmpty
              || e.failure() instanceof BackingFailure.Changed
              || e.failure() instanceof BackingFailure.Unsupported;
      if (!fine) throw e;
    }
  }

  private void answered(BackingChange change, Backing.Answer<Outcome> answer) {
    switch (answer) {
      case Backing.Answer.Failed<Outcome> failed -> {
        underWay = false;
        unsettled(change, failed.failure());
      }
      case Backing.Answer.Done<Outcome> done -> {
        worked(change.number());
        Outcome outcome = done.value();
        if (change instanceof BackingChange.Commit commit && outcome.underneath() != null) {
          tree.changedUnderneath(commit.file(), outcome.underneath().sentence());
        }
        journal(change.number(), command(change, outcome));
      }
    }
  }

  /** What failed may have been done: it counts only when the store was looked at (P23). */
  @Rule("P23")
  private void unsettled(BackingChange change, BackingFailure failure) {
    failed(change.number(), failure);
  }

  private void failed(long change, BackingFailure failure) {
    underWay = false;
    lateCalls.answered(change, failure.advice() != BackingFailure.Advice.TRY_AGAIN);
    notBeforeNanos = timers.nanos() + pace.failed(failure.advice());
    tree.troubled(failure);
  }

  private void worked(long change) {
    lateCalls.answered(change, true);
    pace.worked();
    tree.works();
  }

  /**
   * Whether a repetition after later changes does no harm: only for an attempt, whose name no other
   * has. A repeated rename or deletion would hit the file that has the name at that time. Such a
   * change counts as made only when no other call of it can be carried out any more ({@link
   * BackingFence}).
   */
  private static boolean isRepeatable(BackingChange change, BackingNotes notes) {
    if (!notes.isEmpty()) return notes.isRepeatable();
    return change instanceof BackingChange.Commit
        || change instanceof BackingChange.RemoveDirectory;
  }

  private GroupCommand command(BackingChange change, Outcome outcome) {
    return new GroupCommand.BackingChanged(
        tree.instance(),
        tree.tree(),
        change.number(),
        outcome.done(),
        outcome.contentTag(),
        wallClock.nanos());
  }

  /** Journals that a change was made, once no other call of it can be carried out any more. */
  private void journal(long change, GroupCommand command) {
    long waitNanos = lateCalls.uncertainNanos(change);
    if (waitNanos <= 0) propose(command);
    else timers.after(waitNanos, () -> propose(command));
  }

  private void propose(GroupCommand command) {
    tree.propose(
        command,
        applied -> {
          underWay = false;
          poll();
        });
  }
}
