// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.ContentKey;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.backed.DirectoryNotListed;
import io.forebay.namespace.tree.change.AttributeChanges;
import io.forebay.namespace.tree.change.Call;
import io.forebay.namespace.tree.change.ContentWriter;
import io.forebay.namespace.tree.change.Extras;
import io.forebay.namespace.tree.change.FileChanges;
import io.forebay.namespace.tree.change.LockChanges;
import io.forebay.namespace.tree.change.NameChanges;
import io.forebay.namespace.tree.change.Opening;
import io.forebay.namespace.tree.change.PairChanges;
import io.forebay.namespace.tree.change.Permissions;
import io.forebay.namespace.tree.change.Renaming;
import io.forebay.namespace.tree.change.WholeFile;
import io.forebay.namespace.tree.drain.Adoption;
import io.forebay.namespace.tree.drain.DrainChanges;
import io.forebay.namespace.tree.drain.FoundInBacking;
import io.forebay.namespace.tree.drain.PackChanges;
import io.forebay.namespace.tree.drain.PackOutcome;
import io.forebay.namespace.tree.drain.ReadPiece;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameLimits;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.Sessions;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tree of an instance: names with POSIX's meaning, files, key-value pairs, sessions, room. A
 * change of a session is applied once, even if it arrives again. Reading does not change access
 * times.
 */
public final class Tree {
  /** The root belongs to the instance's owner; others look, as in a home directory. */
  private static final int ROOT_MODE = 0755;

  /**
   * Pairs have no modes of their own, so only the owner uses them until the owner permits others.
   */
  private static final int PAIRS_MODE = 0700;

  /** More than are given between two forces of a journal; a tree has 2^40. */
  private static final long NUMBERS_SKIPPED = 1L << 28;

  /**
   * The initial properties of a tree.
   *
   * @param capacityBytes user bytes it may hold; 0 for no limit
   * @param listsTrees whether it is tree 0 of an instance of private access, which has no files
   */
  public record Beginning(
      int owner, int group, long capacityBytes, boolean listsTrees, long timeNanos) {}

  private final TreeState state;

  /** Begins a tree with its root and no pairs. */
  public Tree(GroupId home, int instance, int number, Beginning beginning) {
    state =
        new TreeState(home, instance, number, beginning.listsTrees(), beginning.capacityBytes());
    state.backing.begin(beginning.timeNanos());
    addDirectory(Names.ROOT, ROOT_MODE, beginning);
    addDirectory(Names.PAIRS, PAIRS_MODE, beginning);
  }

  public Tree(TreeState state) {
    this.state = state;
  }

  private void addDirectory(long number, int mode, Beginning beginning) {
    DirectoryNode directory = new DirectoryNode(Names.inTree(state.number, number));
    directory.mode = mode;
    directory.user = beginning.owner();
    directory.group = beginning.group();
    directory.accessNanos = beginning.timeNanos();
    directory.modified(beginning.timeNanos());
    state.nodes.add(directory);
  }

  public TreeState state() {
    return state;
  }

  /** Applies a client's change and returns the answer. */
  public Message change(Call call, Names.Change change, Effects effects) {
    try {
      if (change instanceof Names.BeginSession begin) return begin(call, begin);
      Session session = state.sessions.get(call.session());
      if (session == null) return withoutSession(call, change);
      session.forgetBelow(call.doneBelow());
      session.settleBelow(call.settledBelow());
      Message known = session.answered(call.op());
      if (known != null) return known;
      Message reply = tryPerform(call, change, session, effects);
      session.remember(call.op(), reply);
      return reply;
    } catch (DirectoryNotListed waits) {
      // Not remembered: it is tried again when the directory has been looked into.
      return waits.reply();
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  private Message begin(Call call, Names.BeginSession begin) throws Refused {
    requireNodeName(begin.node());
    if (state.listsTrees) {
      Names.SessionIs known = state.trees.get(begin.node());
      if (known != null) return known;
      throw new Refused(ErrorCode.INVALID, "node '" + begin.node() + "' has no tree yet");
    }
    Session session = state.sessions.begin(call.session(), begin.node(), begin.expiryNanos());
    if (session.begunIndex == 0) session.begunIndex = call.index();
    return new Names.SessionIs(state.number, state.home, state.number + state.sessions.begun());
  }

  private static void requireNodeName(String node) throws Refused {
    if (NameRules.utf8Bytes(node) > NameLimits.NODE_BYTES_MAX) {
      throw new Refused(ErrorCode.NAME_TOO_LONG, "the name of a node");
    }
  }

  /** Ending an ended session succeeds; all else is refused. */
  private Message withoutSession(Call call, Names.Change change) throws Refused {
    if (change instanceof Names.EndSession && state.sessions.hasEnded(call.session())) {
      return new Replies.Done();
    }
    throw Sessions.over(call.session());
  }

  private Message tryPerform(Call call, Names.Change change, Session session, Effects effects)
      throws DirectoryNotListed {
    try {
      return perform(call, change, session, effects);
    } catch (DirectoryNotListed waits) {
      throw waits;
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  private Message perform(Call call, Names.Change change, Session session, Effects effects)
      throws Refused {
    NameChanges names = new NameChanges(state, call, effects);
    PairChanges pairs = new PairChanges(state, call, effects);
    return switch (change) {
      case Names.BeginSession c -> begin(call, c);
      case Names.EndSession c -> end(session, call.index(), effects);
      case Names.Open c -> new Opening(state, call.who(), c).change(call, names, session, effects);
      case Names.Release c -> release(c, session, call.index());
      case Names.MakeDirectory c -> names.makeDirectory(c);
      case Names.MakeSymlink c -> names.makeSymlink(c);
      case Names.MakeNode c -> names.makeNode(c);
      case Names.MakeLink c -> names.makeLink(c);
      case Names.Unlink c -> names.unlink(c);
      case Names.RemoveDirectory c -> names.removeDirectory(c);
      case Names.Rename c -> new Renaming(state, call, names, c).rename();
      case Names.SetAttributes c -> new AttributeChanges(state, call, effects).set(c);
      case Names.SetExtra c -> new Extras(state, call.who()).set(c, call.timeNanos());
      case Names.RemoveExtra c -> new Extras(state, call.who()).remove(c, call.timeNanos());
      case Names.Publish c -> new FileChanges(state, call, effects).publish(c, session);
      case Names.Punch c -> new FileChanges(state, call, effects).punch(c);
      case Names.Allocate c -> new FileChanges(state, call, effects).allocate(c);
      case Names.TakeNumbers c -> pairs.takeNumbers(c, session);
      case Names.PutPair c -> pairs.put(c, session);
      case Names.PutFile c -> new WholeFile(state, call, effects).put(c, session);
      case Names.PutFiles c -> new WholeFile(state, call, effects).putAll(c, session);
      case Names.DeletePair c -> pairs.delete(c);
      case Names.TakeRoom c -> takeRoom(c, session);
      case Names.Refresh c -> new PendingLooks(state, call.who()).refresh(c);
      case Names.SetLock c -> new LockChanges(state, session.id()).set(c);
      case Names.Unlock c -> new LockChanges(state, session.id()).unlock(c);
      case Names.CancelLock c -> new LockChanges(state, session.id()).cancel(c);
    };
  }

  /**
   * Only the home knows which files a session has open; the journal knows only the files that it
   * writes.
   */
  private Message release(Names.Release release, Session session, long index) {
    if (release.whole()) state.unfinished.closed(release.file(), session);
    else state.unfinished.leave(state.nodes.get(release.file()), session, index);
    return new Replies.Done();
  }

  private Message end(Session session, long index, Effects effects) {
    state.room.giveBack(session);
    state.unfinished.ended(session, state.nodes, index);
    state.locks.ended(session.id());
    state.sessions.end(session);
    effects.ended(session.id());
    return new Replies.Done();
  }

  private Message takeRoom(Names.TakeRoom change, Session session) throws Refused {
    if (change.bytes() < 1) {
      throw new Refused(ErrorCode.INVALID, "room for " + change.bytes() + " bytes");
    }
    return new Names.RoomIs(state.room.promise(session, change.bytes()));
  }

  /** The home has not heard from a session for long: it ends. */
  public void expire(long id, long index, Effects effects) {
    Session session = state.sessions.get(id);
    if (session != null) end(session, index, effects);
  }

  /**
   * The last changes may be missing: all sessions end, since their clients know those changes. File
   * numbers that may have been used are skipped.
   */
  public void restored(long index, Effects effects) {
    for (Session session : List.copyOf(state.sessions.live())) end(session, index, effects);
    skipNumbers(1);
  }

  /** Skips numbers that lost files may have had, if the end of a tree, or all of it, was lost. */
  public void skipNumbers(long times) {
    long end = 1L << Names.TREE_SHIFT;
    long skipped = Math.min(times, end / NUMBERS_SKIPPED) * NUMBERS_SKIPPED;
    state.nextNumber = Math.min(state.nextNumber + skipped, end);
  }

  /** Gives the tree its key, once; what cannot be one is left. */
  public void giveKey(Bytes key) {
    if (state.key == null && ContentKey.isPossible(key)) state.key = ContentKey.of(key);
  }

  /** The key that proofs of its files follow from, or null. */
  public @Nullable ContentKey key() {
    return state.key;
  }

  /** Gives a client node a tree of its own, once. */
  public Message nameTree(String node, GroupId group) {
    try {
      requireNodeName(node);
      Names.SessionIs known = state.trees.get(node);
      if (known != null) return known;
      if (state.trees.size() >= NameLimits.TREES_MAX) {
        throw new Refused(ErrorCode.NO_SPACE, "the instance has as many private trees as it can");
      }
      int tree = state.trees.size() + 1;
      Names.SessionIs made = new Names.SessionIs(tree, group, tree);
      state.trees.put(node, made);
      return made;
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  /** The tree of a client node, or null if none has been named. */
  public Names.@Nullable SessionIs treeOf(String node) {
    return state.trees.get(node);
  }

  /** Whether there is a pair with this key prefix. */
  public boolean hasPairs(String prefix) {
    String first = state.pairs.ceilingKey(prefix);
    return first != null && first.startsWith(prefix);
  }

  public boolean hasPair(String key) {
    return state.pairs.containsKey(key);
  }

  /** Deletes the files without a name; no client has them open. */
  public void forget(List<Long> files, Effects effects) {
    for (long number : files) {
      if (!state.orphans.remove(number)) continue;
      if (state.nodes.get(number) instanceof FileNode file) {
        ContentWriter.giveUp(state, file, effects);
      }
    }
  }

  /** The home's changes for draining; {@link DrainChanges} implements them. */
  public Message wantDrain(long node, Effects effects) {
    return drained(effects, changes -> changes.want(node));
  }

  public Message beginPack(List<Long> files, List<Long> versions, long timeNanos, Effects effects) {
    return packed(effects, changes -> changes.begin(files, versions, timeNanos));
  }

  public Message notePack(long pack, String handle, Effects effects) {
    return packed(effects, changes -> changes.noteHandle(pack, handle));
  }

  public Message commitPack(long pack, Effects effects) {
    return packed(effects, changes -> changes.commit(pack));
  }

  public Message endPack(long pack, Effects effects) {
    return packed(effects, changes -> changes.end(pack));
  }

  public Message packCommitted(PackOutcome outcome, long timeNanos, Effects effects) {
    return packed(effects, changes -> changes.committed(outcome, timeNanos));
  }

  public Message beginDrain(long file, long version, long timeNanos, Effects effects) {
    return drained(effects, changes -> changes.begin(file, version, timeNanos));
  }

  public Message noteHandle(long file, int attempt, String handle, Effects effects) {
    return drained(effects, changes -> changes.noteHandle(file, attempt, handle));
  }

  public Message commitDrain(long file, int attempt, Effects effects) {
    return drained(effects, changes -> changes.commit(file, attempt));
  }

  public Message endDrain(long file, int attempt, Effects effects) {
    return drained(effects, changes -> changes.end(file, attempt));
  }

  public Message backingChanged(
      long change, boolean done, String contentTag, long timeNanos, Effects effects) {
    return drained(effects, changes -> changes.changed(change, done, contentTag, timeNanos));
  }

  /** Calls of the first change may be on their way. */
  public Message backingCalled(BackingCall call, Effects effects) {
    return drained(effects, changes -> changes.called(call));
  }

  /** This many changes from the first on have been made. */
  public Message backingChanged(long first, int count, long timeNanos, Effects effects) {
    return drained(
        effects,
        changes -> {
          changes.requireNext(first);
          for (int i = 0; i < count; i++) changes.changedNext(timeNanos);
        });
  }

  public Message release(List<Long> files, Effects effects) {
    return drained(effects, changes -> changes.release(files));
  }

  public Message enterRead(ReadPiece read, Effects effects) {
    return drained(effects, changes -> changes.enterRead(read));
  }

  /** The tree shows the contents of its store: directories are listed when a client needs them. */
  public void showStore() {
    state.backing.sight.show(state.root());
  }

  /** Adds the listing of a directory of the store to the tree. */
  public Message adopt(Adoption.Look look, List<FoundInBacking> found, Effects effects) {
    try {
      new Adoption(state, look, effects).enter(found);
      return new Replies.Done();
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  /** The number of the directory that must be looked into for a request; 0 for none. */
  public long unseen(Identity who, Names.Op op) {
    return new PendingLooks(state, who).unseen(op);
  }

  private interface DrainStep {
    void on(DrainChanges changes) throws Refused;
  }

  private Message drained(Effects effects, DrainStep step) {
    try {
      step.on(new DrainChanges(state, effects));
      return new Replies.Done();
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  private interface PackStep {
    void on(PackChanges changes) throws Refused;
  }

  private Message packed(Effects effects, PackStep step) {
    try {
      step.on(new PackChanges(state, effects));
      return new Replies.Done();
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  /** The tree's view of its backing store. */
  public BackingView store() {
    return new BackingView(state);
  }

  public Message answer(long session, Identity who, Names.Question question) {
    try {
      return new Questions(state, session, who).answer(question);
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  /**
   * The answer to an open that changes nothing, or null if it makes or truncates a file, or was
   * answered before.
   */
  public @Nullable Message openExisting(long session, long op, Identity who, Names.Open open) {
    try {
      // A retried request may find the file that it has created itself.
      if (state.sessions.require(session).replies().containsKey(op)) return null;
      return new Opening(state, who, open).withoutChange();
    } catch (Refused refused) {
      return refused.reply();
    }
  }

  /** Whether a session has made the file, or published into it, and not closed it. */
  public boolean isUnfinished(long session, long file) {
    Session living = state.sessions.get(session);
    return living != null && living.unfinished.contains(file);
  }

  /** Whether a change of a session was done before, so that a retry only gets the answer. */
  public boolean wasAnswered(long session, long op) {
    Session living = state.sessions.get(session);
    return living != null && living.replies().containsKey(op);
  }

  /**
   * Whether a user has this access to the content of a file, even if no session has it open. True
   * if there is no such file: the request itself reports that.
   *
   * @param access of {@link Names#MAY_READ} and {@link Names#MAY_WRITE}
   */
  public boolean mayUse(long session, long file, Identity who, int access) {
    if (!(state.nodes.get(file) instanceof FileNode node)) return true;
    if (node.pair) return Permissions.allows(state.pairsDirectory(), who, access);
    // Its mode may have forbidden it from the start to all but the session that made it.
    if (access == Names.MAY_WRITE && isUnfinished(session, file)) return true;
    return Permissions.isOwner(node, who) || Permissions.allows(node, who, access);
  }

  /** Whether nothing was ever published into the file. */
  public boolean isBlank(long file) {
    return state.nodes.get(file) instanceof FileNode node && node.version == 0;
  }

  /** Whether it is a file that has lost its last name and is kept for the sessions that use it. */
  public boolean isNameless(long file) {
    return state.nodes.get(file) instanceof FileNode node && node.links == 0;
  }

  /**
   * A record is garbage when no file contains it and none can come to contain it, because its
   * session has ended or has given it up (P5).
   */
  @Rule("P5")
  public boolean isDead(RecordId record) {
    if (state.live.contains(record.session(), record.sequence())) return false;
    Session living = state.sessions.get(record.session());
    boolean given = living == null || !living.mayPublish(record.sequence());
    return given && !state.backing.isHeld(record);
  }

  /** The group of a private tree that is listed here, or null. */
  public @Nullable GroupId groupOf(int tree) {
    for (Names.SessionIs named : state.trees.values()) {
      if (named.tree() == tree) return named.group();
    }
    return null;
  }

  /**
   * Gives a private tree more of the capacity, at most the wanted amount, and returns its total.
   */
  public Message grantTree(int tree, long wantedBytes) {
    if (tree < 1 || tree > state.trees.size() || wantedBytes < 0) {
      return new Replies.Failed(ErrorCode.INVALID, "there is no private tree " + tree);
    }
    long hasBytes = state.grants.getOrDefault(tree, 0L);
    long moreBytes = Math.min(wantedBytes - hasBytes, state.room.freeBytes());
    if (moreBytes > 0) {
      state.grants.put(tree, hasBytes + moreBytes);
      state.room.addGranted(moreBytes);
    }
    return new Names.RoomIs(state.grants.getOrDefault(tree, 0L));
  }

  /** Sets the total capacity of the tree. */
  public void grow(long capacityBytes) {
    state.room.grow(capacityBytes);
  }

  /** Sets the total capacity, unless more is used or promised; returns whether it is set. */
  public boolean resize(long capacityBytes) {
    return state.room.resize(capacityBytes);
  }

  public long freeBytes() {
    return state.room.freeBytes();
  }

  public long capacityBytes() {
    return state.room.capacityBytes();
  }

  /** The ids of live sessions, ascending. */
  public List<Long> sessions() {
    return state.sessions.live().stream().map(Session::id).toList();
  }

  /** After how long a silence a session is to expire; 0 if it does not live. */
  public long expiryNanos(long id) {
    Session session = state.sessions.get(id);
    return session == null ? 0 : session.expiryNanos();
  }

  /** The node of a session's client; empty if it does not live. */
  public String nodeOf(long id) {
    Session session = state.sessions.get(id);
    return session == null ? "" : session.node();
  }

  public boolean fileExists(long number) {
    return state.nodes.get(number) instanceof FileNode;
  }

  /** Whether the file has no name and has not been forgotten. */
  public boolean isOrphan(long file) {
    return state.orphans.contains(file);
  }

  /** Files without a name that have not been forgotten, ascending. */
  public List<Long> orphans() {
    return List.copyOf(state.orphans);
  }
}
