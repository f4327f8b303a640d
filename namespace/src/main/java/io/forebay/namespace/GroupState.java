// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.proof.ContentKey;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.Tree;
import io.forebay.namespace.tree.change.Call;
import io.forebay.namespace.tree.drain.Adoption;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.state.TreeLimits;
import io.forebay.namespace.use.InstanceUses;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one group's journal: all its trees. {@link #apply} changes it, entry by entry;
 * everything else only reads. Called by the seat's loop only.
 */
public final class GroupState {
  /** No chunk of a snapshot can be asked to be smaller: the largest item must fit. */
  public static final int CHUNK_BYTES_MIN = 72 * 1024;

  private static final int DIGEST_CHUNK_BYTES = 1024 * 1024;
  private static final long DIGEST_PRIME = 0x100000001b3L;
  private static final long DIGEST_BASIS = 0xcbf29ce484222325L;

  /**
   * The effects of an entry.
   *
   * @param reply the reply for the client, if there is one
   * @param dead records that are dead now
   * @param orphaned files that lost their last name: to be deleted once no client has them open
   * @param ended sessions that ended
   */
  public record Applied(
      Message reply, List<DeadIn> dead, List<FileId> orphaned, List<SessionKey> ended) {}

  /** Records that count no longer, in the group that holds them. */
  public record DeadIn(GroupId group, Data.Dead dead) {}

  public record SessionKey(int instance, int tree, long session) {}

  /** Names a tree of the group. */
  record TreeKey(int instance, int tree) implements Comparable<TreeKey> {
    @Override
    public int compareTo(TreeKey other) {
      int byInstance = Integer.compare(instance, other.instance);
      return byInstance != 0 ? byInstance : Integer.compare(tree, other.tree);
    }
  }

  private final GroupId group;
  private final TreeMap<TreeKey, Tree> trees = new TreeMap<>();

  /** Instances that were destroyed, so that no late entry begins a tree of them again. */
  private EndedInstances dropped = EndedInstances.NONE;

  private final InstanceUses uses = new InstanceUses();
  private long lastIndex;
  private @Nullable SnapshotReader restoring;

  public GroupState(GroupId group) {
    this.group = group;
  }

  public GroupId group() {
    return group;
  }

  /** The index of the last entry applied; 0 for none. */
  public long lastIndex() {
    return lastIndex;
  }

  /**
   * Applies a committed entry; entries come in order, each once.
   *
   * @param index the publish number of the entry's pieces
   */
  public Applied apply(long index, GroupCommand command) {
    if (restoring != null) throw new IllegalStateException("the snapshot has no end");
    if (index <= lastIndex) {
      throw new IllegalStateException("entry " + index + " after " + lastIndex);
    }
    lastIndex = index;
    return switch (command) {
      case GroupCommand.ClientChange c -> change(index, c);
      case GroupCommand.BeginTree c -> begin(c);
      case GroupCommand.NameTree c -> nameTree(c);
      case GroupCommand.GrantTree c -> grantTree(c);
      case GroupCommand.GrowTree c ->
          with(c.instance(), c.tree(), (tree, noted) -> tree.grow(c.capacityBytes()));
      case GroupCommand.ResizeTree c -> resizeTree(c);
      case GroupCommand.ExpireSession c ->
          with(c.instance(), c.tree(), (tree, noted) -> tree.expire(c.session(), index, noted));
      case GroupCommand.Forget c ->
          with(c.instance(), c.tree(), (tree, noted) -> tree.forget(c.files(), noted));
      case GroupCommand.WantDrain c ->
          drained(c.instance(), c.tree(), (tree, noted) -> tree.wantDrain(c.node(), noted));
      case GroupCommand.BeginDrain c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) -> tree.beginDrain(c.file(), c.version(), c.timeNanos(), noted));
      case GroupCommand.NoteHandle c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) -> tree.noteHandle(c.file(), c.attempt(), c.handle(), noted));
      case GroupCommand.CommitDrain c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) -> tree.commitDrain(c.file(), c.attempt(), noted));
      case GroupCommand.EndDrain c ->
          drained(
              c.instance(), c.tree(), (tree, noted) -> tree.endDrain(c.file(), c.attempt(), noted));
      case GroupCommand.BackingChanged c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) ->
                  tree.backingChanged(c.change(), c.done(), c.contentTag(), c.timeNanos(), noted));
      case GroupCommand.CallBacking c ->
          drained(c.instance(), c.tree(), (tree, noted) -> tree.backingCalled(c.call(), noted));
      case GroupCommand.BackingNoted c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) ->
                  tree.backingChanged(c.firstChange(), c.count(), c.timeNanos(), noted));
      case GroupCommand.BeginPack c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) -> tree.beginPack(c.files(), c.versions(), c.timeNanos(), noted));
      case GroupCommand.NotePack c ->
          drained(
              c.instance(), c.tree(), (tree, noted) -> tree.notePack(c.pack(), c.handle(), noted));
      case GroupCommand.CommitPack c ->
          drained(c.instance(), c.tree(), (tree, noted) -> tree.commitPack(c.pack(), noted));
      case GroupCommand.EndPack c ->
          drained(c.instance(), c.tree(), (tree, noted) -> tree.endPack(c.pack(), noted));
      case GroupCommand.PackCommitted c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) -> tree.packCommitted(c.outcome(), c.timeNanos(), noted));
      case GroupCommand.Release c ->
          drained(c.instance(), c.tree(), (tree, noted) -> tree.release(c.files(), noted));
      case GroupCommand.EnterRead c ->
          drained(c.instance(), c.tree(), (tree, noted) -> tree.enterRead(c.read(), noted));
      case GroupCommand.BeginOver c -> beginOver(c.tree());
      case GroupCommand.BeginAfterLoss c -> beginAfterLoss(c);
      case GroupCommand.KeyTree c ->
          with(c.instance(), c.tree(), (tree, noted) -> tree.giveKey(c.key()));
      case GroupCommand.Adopt c ->
          drained(
              c.instance(),
              c.tree(),
              (tree, noted) ->
                  tree.adopt(
                      new Adoption.Look(
                          index, c.timeNanos(), c.directory(), c.mark(), c.last(), c.leftOut()),
                      c.found(),
                      noted));
      case GroupCommand.LimitTree c -> limitTree(c);
      case GroupCommand.CountUse c -> countUse(c);
      case GroupCommand.DropEnded c -> drop(c.ended());
      case GroupCommand.Restored c -> restored(index, c.instances());
    };
  }

  private Applied change(long index, GroupCommand.ClientChange change) {
    Tree tree = tree(change.instance(), change.tree());
    if (tree == null) return Noted.nothing(unknown(change.instance(), change.tree()));
    Noted noted = new Noted(change.instance(), change.tree());
    return noted.with(tree.change(callOf(index, change), change.change(), noted));
  }

  /**
   * A change that is asked again is answered again: by its number, until its client says that it
   * has the answer (P5).
   */
  @Rule("P5")
  private static Call callOf(long index, GroupCommand.ClientChange change) {
    return new Call(
        index,
        change.session(),
        change.op(),
        change.doneBelow(),
        change.settledBelow(),
        change.who(),
        change.timeNanos());
  }

  private Applied begin(GroupCommand.BeginTree begin) {
    if (dropped.contains(begin.instance())) {
      return Noted.nothing(unknown(begin.instance(), begin.tree()));
    }
    if (begin.capacityBytes() < 0) {
      return Noted.nothing(new Replies.Failed(ErrorCode.INVALID, "a negative capacity"));
    }
    Tree.Beginning beginning =
        new Tree.Beginning(
            begin.owner(),
            begin.group(),
            begin.capacityBytes(),
            begin.privateTrees(),
            begin.timeNanos());
    trees.computeIfAbsent(
        new TreeKey(begin.instance(), begin.tree()),
        key -> new Tree(group, key.instance(), key.tree(), beginning));
    return Noted.nothing(new Replies.Done());
  }

  private Applied beginOver(GroupCommand.BeginTree begin) {
    boolean isNew = tree(begin.instance(), begin.tree()) == null;
    Applied begun = begin(begin);
    Tree tree = tree(begin.instance(), begin.tree());
    if (isNew && tree != null) tree.showStore();
    return begun;
  }

  private Applied beginAfterLoss(GroupCommand.BeginAfterLoss command) {
    GroupCommand.BeginTree begin = command.tree();
    boolean isNew = tree(begin.instance(), begin.tree()) == null;
    Applied begun = command.over() ? beginOver(begin) : begin(begin);
    Tree tree = tree(begin.instance(), begin.tree());
    if (isNew && tree != null) tree.skipNumbers(command.epoch());
    return begun;
  }

  private Applied nameTree(GroupCommand.NameTree command) {
    Tree list = tree(command.instance(), 0);
    if (list == null) return Noted.nothing(unknown(command.instance(), 0));
    return Noted.nothing(list.nameTree(command.node(), command.group()));
  }

  private Applied grantTree(GroupCommand.GrantTree command) {
    Tree list = tree(command.instance(), 0);
    if (list == null) return Noted.nothing(unknown(command.instance(), 0));
    return Noted.nothing(list.grantTree(command.tree(), command.wantedBytes()));
  }

  private Applied limitTree(GroupCommand.LimitTree c) {
    TreeLimits.Limits limits = new TreeLimits.Limits(c.fileBytesMax(), c.filesMax(), c.usedUp());
    return with(c.instance(), c.tree(), (tree, noted) -> tree.state().limits.set(limits));
  }

  private Applied countUse(GroupCommand.CountUse count) {
    if (!dropped.contains(count.instance())) uses.add(count.instance(), count.counted());
    return Noted.nothing(new Replies.Done());
  }

  private Applied resizeTree(GroupCommand.ResizeTree command) {
    Tree tree = tree(command.instance(), command.tree());
    boolean fits = tree == null || tree.resize(command.capacityBytes());
    return Noted.nothing(
        fits ? new Replies.Done() : new Replies.Failed(ErrorCode.NO_SPACE, "the tree holds more"));
  }

  private Applied with(int instance, int number, BiConsumer<Tree, Effects> action) {
    Tree tree = tree(instance, number);
    if (tree == null) return Noted.nothing(unknown(instance, number));
    Noted noted = new Noted(instance, number);
    action.accept(tree, noted);
    return noted.with(new Replies.Done());
  }

  private Applied drained(int instance, int number, BiFunction<Tree, Effects, Message> step) {
    Tree tree = tree(instance, number);
    if (tree == null) return Noted.nothing(unknown(instance, number));
    Noted noted = new Noted(instance, number);
    return noted.with(step.apply(tree, noted));
  }

  private Applied drop(EndedInstances ended) {
    dropped = dropped.and(ended);
    uses.drop(ended);
    List<SessionKey> sessions = new ArrayList<>();
    trees.forEach(
        (key, tree) -> {
          if (ended.contains(key.instance())) addSessions(key, tree, sessions);
        });
    trees.keySet().removeIf(key -> ended.contains(key.instance()));
    return new Applied(new Replies.Done(), List.of(), List.of(), sessions);
  }

  private Applied restored(long index, List<Integer> instances) {
    List<SessionKey> ended = new ArrayList<>();
    trees.forEach(
        (key, tree) -> {
          if (!instances.contains(key.instance())) return;
          addSessions(key, tree, ended);
          tree.restored(index, new Noted(key.instance(), key.tree()));
        });
    return new Applied(new Replies.Done(), List.of(), List.of(), ended);
  }

  private @Nullable Tree tree(int instance, int tree) {
    return trees.get(new TreeKey(instance, tree));
  }

  private Replies.Failed unknown(int instance, int tree) {
    return new Replies.Failed(
        ErrorCode.UNKNOWN_INSTANCE,
        "tree %d of instance %d is not in %s".formatted(tree, instance, group));
  }

  /** Answers from the applied state. */
  public Message answer(
      int instance, int tree, long session, Identity who, Names.Question question) {
    Tree asked = tree(instance, tree);
    return asked == null ? unknown(instance, tree) : asked.answer(session, who, question);
  }

  /**
   * The answer to an open that needs no journal; null if it makes or truncates a file, or was
   * answered before.
   */
  public @Nullable Message openExisting(
      int instance, int tree, long session, long op, Identity who, Names.Open open) {
    Tree asked = tree(instance, tree);
    return asked == null ? unknown(instance, tree) : asked.openExisting(session, op, who, open);
  }

  /**
   * The directory of the backing store that must be looked into before a request can be answered,
   * by its number; 0 for none.
   */
  public long unseen(int instance, int tree, Identity who, Names.Op op) {
    Tree asked = tree(instance, tree);
    return asked == null ? 0 : asked.unseen(who, op);
  }

  /** Whether a session has made the file, or published into it, and not closed it. */
  public boolean isUnfinished(SessionKey key, long file) {
    Tree asked = tree(key.instance(), key.tree());
    return asked != null && asked.isUnfinished(key.session(), file);
  }

  /** Whether a change of a session was done before, so that a retry only gets the answer. */
  public boolean wasAnswered(SessionKey key, long op) {
    Tree asked = tree(key.instance(), key.tree());
    return asked != null && asked.wasAnswered(key.session(), op);
  }

  /** Whether a user may use the content of a file so, also if the session has not opened it. */
  public boolean mayUse(SessionKey key, long file, Identity who, int access) {
    Tree asked = tree(key.instance(), key.tree());
    return asked == null || asked.mayUse(key.session(), file, who, access);
  }

  /** Whether nothing was ever published into the file. */
  public boolean isBlank(int instance, int tree, long file) {
    Tree asked = tree(instance, tree);
    return asked != null && asked.isBlank(file);
  }

  /** Whether it is a file that has lost its last name. */
  public boolean isNameless(int instance, int tree, long file) {
    Tree asked = tree(instance, tree);
    return asked != null && asked.isNameless(file);
  }

  public boolean hasTree(int instance, int tree) {
    return tree(instance, tree) != null;
  }

  /** The key that proofs of a tree's files follow from (P28); null if the tree has none yet. */
  public @Nullable ContentKey key(int instance, int tree) {
    Tree asked = tree(instance, tree);
    return asked == null ? null : asked.key();
  }

  /** How much more a session of a tree could be promised now; 0 if the tree is not here. */
  public long freeBytes(int instance, int tree) {
    Tree asked = tree(instance, tree);
    return asked == null ? 0 : asked.freeBytes();
  }

  /** How many bytes a tree may hold; 0 for no limit, or if it is not here. */
  public long capacityBytes(int instance, int tree) {
    Tree asked = tree(instance, tree);
    return asked == null ? 0 : asked.capacityBytes();
  }

  /** What write protection allows in a tree; no limits if it is not here. */
  public TreeLimits.Limits limits(int instance, int tree) {
    Tree asked = tree(instance, tree);
    return asked == null ? TreeLimits.Limits.NONE : asked.state().limits.limits();
  }

  /** The bytes and files of an instance's trees that are here. */
  public InstanceFill fill(int instance) {
    InstanceFill fill = InstanceFill.NONE;
    for (int number : trees(instance)) {
      Tree tree = tree(instance, number);
      if (tree != null) fill = fill.and(tree.state());
    }
    return fill;
  }

  /** How much of each instance's data has gone through this group. */
  public InstanceUses uses() {
    return uses;
  }

  /** The tree and group of a client node of private access, if it has been named. */
  public Names.@Nullable SessionIs privateTree(int instance, String node) {
    Tree list = tree(instance, 0);
    return list == null ? null : list.treeOf(node);
  }

  public List<SessionKey> sessions() {
    List<SessionKey> keys = new ArrayList<>();
    trees.forEach((key, tree) -> addSessions(key, tree, keys));
    return keys;
  }

  private static void addSessions(TreeKey key, Tree tree, List<SessionKey> keys) {
    for (long session : tree.sessions()) {
      keys.add(new SessionKey(key.instance(), key.tree(), session));
    }
  }

  /** The longest silence after which any of its sessions is to expire; 0 if there are none. */
  public long longestExpiryNanos() {
    long longest = 0;
    for (SessionKey key : sessions()) longest = Math.max(longest, expiryNanos(key));
    return longest;
  }

  /** The node of a session's client; empty if the session does not live. */
  public String nodeOf(SessionKey key) {
    Tree tree = tree(key.instance(), key.tree());
    return tree == null ? "" : tree.nodeOf(key.session());
  }

  /** After how long a silence a session is to expire; 0 if it does not live. */
  public long expiryNanos(SessionKey key) {
    Tree tree = tree(key.instance(), key.tree());
    return tree == null ? 0 : tree.expiryNanos(key.session());
  }

  /**
   * Which of these records are dead: in no file, and not to come into one, because their session
   * has ended or is unknown, or because it published them before or gave them up. None if the tree
   * is not here.
   */
  public List<RecordId> dead(int instance, int tree, List<RecordId> records) {
    Tree asked = tree(instance, tree);
    return asked == null ? List.of() : records.stream().filter(asked::isDead).toList();
  }

  /** The group of a private tree that is listed here, or null. */
  public @Nullable GroupId groupOf(int instance, int tree) {
    Tree list = tree(instance, 0);
    return list == null ? null : list.groupOf(tree);
  }

  /** Whether a file, an orphan or a pair's value of that number is here. */
  public boolean fileExists(FileId file) {
    Tree tree = tree(file.instance(), Names.treeOf(file.number()));
    return tree != null && tree.fileExists(file.number());
  }

  /** Whether the file has no name and has not been forgotten. */
  public boolean isOrphan(FileId file) {
    Tree tree = tree(file.instance(), Names.treeOf(file.number()));
    return tree != null && tree.isOrphan(file.number());
  }

  /** A tree's view of its backing store, or null if the tree is not here. */
  public @Nullable BackingView backing(int instance, int tree) {
    Tree asked = tree(instance, tree);
    return asked == null ? null : asked.store();
  }

  /** The numbers of an instance's trees that are here. */
  public List<Integer> trees(int instance) {
    return trees.keySet().stream()
        .filter(key -> key.instance() == instance)
        .map(TreeKey::tree)
        .toList();
  }

  /** The instances that have trees here. */
  public List<Integer> instances() {
    return trees.keySet().stream().map(TreeKey::instance).distinct().toList();
  }

  /** The instances with a tree here that has a pair with this key prefix. */
  public List<Integer> instancesWithPairs(String prefix) {
    return trees.entrySet().stream()
        .filter(tree -> tree.getValue().hasPairs(prefix))
        .map(tree -> tree.getKey().instance())
        .distinct()
        .toList();
  }

  /** Whether a tree of the instance that is here has a pair of that key. */
  public boolean hasPair(int instance, String key) {
    return trees.entrySet().stream()
        .anyMatch(tree -> tree.getKey().instance() == instance && tree.getValue().hasPair(key));
  }

  /** Files that have no name and have not been forgotten. */
  public List<FileId> orphans() {
    List<FileId> orphans = new ArrayList<>();
    trees.forEach(
        (key, tree) -> {
          for (long number : tree.orphans()) orphans.add(new FileId(key.instance(), number));
        });
    return orphans;
  }

  /** The whole state as chunks, to be restored in order into an empty state. */
  public void snapshot(int chunkBytesMax, Consumer<Bytes> chunks) {
    if (chunkBytesMax < CHUNK_BYTES_MIN) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytesMax + " bytes; at least " + CHUNK_BYTES_MIN);
    }
    SnapshotWriter.write(this, chunkBytesMax, chunks);
  }

  /**
   * Takes the next chunk of a snapshot. After a malformed chunk the state is unusable. The state is
   * usable once the last chunk has been taken.
   */
  public void restore(Bytes chunk) throws MalformedFields {
    if (restoring == null) {
      if (lastIndex != 0 || !trees.isEmpty() || !dropped.isEmpty()) {
        throw new IllegalStateException("only an empty state can be restored");
      }
      restoring = new SnapshotReader(this);
    }
    if (restoring.read(chunk)) restoring = null;
  }

  /** A digest of the whole state: equal states have equal digests. It costs a snapshot. */
  public long digest() {
    long[] digest = {DIGEST_BASIS};
    SnapshotWriter.write(
        this,
        DIGEST_CHUNK_BYTES,
        chunk -> {
          for (byte each : chunk.toArray()) {
            digest[0] = (digest[0] ^ Byte.toUnsignedInt(each)) * DIGEST_PRIME;
          }
        });
    return digest[0];
  }

  NavigableMap<TreeKey, Tree> trees() {
    return Collections.unmodifiableNavigableMap(trees);
  }

  EndedInstances dropped() {
    return dropped;
  }

  void restoreIndex(long index) {
    lastIndex = index;
  }

  void restoreDropped(EndedInstances ended) {
    dropped = ended;
  }

  void restoreTree(TreeKey key, Tree tree) {
    trees.put(key, tree);
  }
}
