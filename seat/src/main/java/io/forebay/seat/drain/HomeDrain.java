// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.base.StageKeys;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.drain.through.BackedPuts;
import io.forebay.seat.drain.through.BackingLooks;
import io.forebay.seat.drain.through.DrainHome;
import io.forebay.seat.drain.through.ReadThrough;
import io.forebay.seat.drain.through.ReadTree;
import io.forebay.seat.names.BackedTrees;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The drains of all trees of a group, at its home. */
public final class HomeDrain implements BackedTrees, ReadTree.All {
  private static final long REFRESH_NANOS = 500_000_000L;

  private static final long TELL_NANOS = 2_000_000_000L;

  private record Key(int instance, int tree) {}

  private final MapView maps;
  private final Timers timers;
  private final ManagerLink manager;
  private final Backings backings;
  private final DrainParts parts;
  private final DrainHome home;
  private final Map<Key, TreeDrain> trees = new LinkedHashMap<>();
  private final ReadThrough readThrough;
  private final BackedPuts backedPuts;

  /** The number of changes taken when the end of an instance was first seen. */
  private final Map<Integer, Long> takenAtEnd = new TreeMap<>();

  private long refreshedNanos;

  public HomeDrain(DrainParts parts, DrainHome home) {
    Basics basics = parts.basics();
    this.parts = parts;
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.manager = parts.links().manager();
    this.backings = parts.backings();
    this.home = home;
    this.readThrough = new ReadThrough(backings, home, this, basics.counters().limits());
    this.backedPuts = new BackedPuts(basics, backings, parts.holds(), home);
    this.refreshedNanos = timers.nanos() - REFRESH_NANOS;
  }

  public void tick() {
    if (!home.serving()) return;
    if (timers.nanos() - refreshedNanos >= REFRESH_NANOS) refresh();
    for (TreeDrain tree : trees.values()) tree.tick();
  }

  private void refresh() {
    refreshedNanos = timers.nanos();
    trees
        .entrySet()
        .removeIf(
            each -> {
              boolean gone = maps.instance(each.getKey().instance) == null;
              if (gone) each.getValue().abandon();
              return gone;
            });
    for (int number : home.state().instances()) {
      Instance instance = maps.instance(number);
      if (instance == null) continue;
      for (int tree : home.state().trees(number)) {
        if (!instance.isDrained(tree)) continue;
        trees.computeIfAbsent(
            new Key(number, tree), key -> new TreeDrain(parts, home, readThrough, instance, tree));
      }
    }
    tellEnds();
  }

  /** Tells the manager, for each ending instance, when this group has nothing left to do for it. */
  private void tellEnds() {
    RingMap map = maps.map();
    if (map == null || !home.leased()) return;
    Set<Integer> ending = new TreeSet<>();
    for (Instance instance : map.instances()) {
      boolean ends = instance.drain().ending();
      if (!ends || instance.copies() != home.group().id().copies()) continue;
      ending.add(instance.id());
      // Changes that were taken before the end was known are still being journalled.
      long taken = takenAtEnd.computeIfAbsent(instance.id(), key -> home.changesTaken());
      if (home.changesApplied() < taken) continue;
      if (hasStagesLeft(instance.id()) || !isDrained(instance)) continue;
      manager.ask(
          new Maps.TreesDrained(instance.id(), home.group().id(), home.group().epoch()),
          TELL_NANOS,
          reply -> {});
    }
    takenAtEnd.keySet().retainAll(ending);
  }

  /** An ending instance stays while a stage is under way, or due before it is gone (P29). */
  @Rule("P29")
  private boolean hasStagesLeft(int instance) {
    return home.state().instancesWithPairs(StageKeys.OPEN).contains(instance)
        || home.state().instancesWithPairs(StageKeys.DUE).contains(instance);
  }

  /** Without the policy's word {@code end}, what is not drained is dropped with the instance. */
  private boolean isDrained(Instance instance) {
    if (instance.drain().isNone() || !DrainPolicy.of(instance.drain().policy()).atEnd()) {
      return true;
    }
    return trees.entrySet().stream()
        .filter(each -> each.getKey().instance == instance.id())
        .allMatch(each -> each.getValue().isSettled());
  }

  /** What waits for its drain, by tree. */
  public List<Undrained> undrained() {
    return trees.values().stream()
        .map(TreeDrain::undrained)
        .filter(each -> each.files() > 0)
        .toList();
  }

  @Override
  public @Nullable TreeDrain tree(int instance, int tree) {
    if (known(instance, tree) == null) refresh();
    return known(instance, tree);
  }

  /** The same if it has been looked at before. */
  @Override
  public @Nullable TreeDrain known(int instance, int tree) {
    return trees.get(new Key(instance, tree));
  }

  /** Adds the current progress to the journalled state. */
  @Override
  public Message told(Names.Request request, Names.LedgerIs known) {
    TreeDrain tree = tree(request.instance(), request.tree());
    return tree == null ? known : tree.ledger(known);
  }

  /** Answers when the request is journalled, so that another home knows it too. */
  @Override
  public void wanted(
      Names.Request request, Names.Drain wanted, Message known, Consumer<Message> answer) {
    TreeDrain tree = tree(request.instance(), request.tree());
    if (tree == null) {
      Instance instance = maps.instance(request.instance());
      boolean ofNode = instance != null && !instance.drain().isNone();
      answer.accept(
          new Replies.Failed(
              ErrorCode.INVALID,
              ofNode
                  ? "the private trees of this instance are not drained; copy files to its shared tree"
                  : "this instance has no backing store; make one with --backing to drain it"));
      return;
    }
    Message node =
        home.state()
            .answer(
                request.instance(),
                request.tree(),
                request.session(),
                request.who(),
                new Names.Lookup(wanted.directory(), wanted.path(), true));
    if (!(node instanceof Names.NodeIs is)) {
      answer.accept(node);
      return;
    }
    tree.request(
        is.attributes().number(),
        journalled -> {
          if (journalled) {
            answer.accept(known);
          } else {
            answer.accept(
                new Replies.Failed(
                    ErrorCode.UNAVAILABLE, home.group().id() + " is getting another home"));
          }
        });
  }

  /**
   * Whether a request needs names that have not been looked up in the store yet. Then it waits
   * here, and is answered after the lookup.
   */
  @Override
  public boolean needsLook(Connection connection, long request, Names.Request message) {
    long directory =
        home.state().unseen(message.instance(), message.tree(), message.who(), message.what());
    if (directory == 0) return false;
    TreeDrain tree = tree(message.instance(), message.tree());
    if (tree == null || tree.backing() == null) {
      String problem = backings.problem(message.instance());
      refuse(connection, request, ErrorCode.FAILED, "nothing is known of its files: " + problem);
    } else {
      tree.looks().await(directory, new BackingLooks.Waiting(connection, request, message));
    }
    return true;
  }

  /** The epoch is over: waiting clients ask the next home. */
  public void stop() {
    for (TreeDrain tree : trees.values()) tree.stop();
  }

  /** A tree is full: evicts its drained data, if it drains. */
  @Override
  public void makeRoom(Names.Request request, long missingBytes) {
    TreeDrain tree = missingBytes > 0 ? tree(request.instance(), request.tree()) : null;
    if (tree != null) tree.wantRoom(missingBytes, true);
  }

  /**
   * Writers wait for some seat: trees that are drained may have something to give up.
   *
   * @param wanted how many bytes of which trees, and how urgently
   */
  public void wantRoom(Drains.WantRoom wanted) {
    trees.forEach(
        (key, tree) -> {
          if (wanted.unpromised() && isPromised(key.instance)) return;
          tree.wantRoom(wanted.bytes(), wanted.full());
        });
  }

  /** What such an instance gives up stays promised to it. */
  private boolean isPromised(int number) {
    Instance instance = maps.instance(number);
    return instance != null && instance.allocation().isPromise();
  }

  /** Reads for a client what only the backing store has. */
  public void getBacked(Connection connection, long request, Data.GetBacked message) {
    if (home.names().refusesBacked(connection, request, message)) return;
    readThrough.get(new ReadThrough.Asker(connection, request, message));
  }

  /** As the home of the group that is to hold what another reads through. */
  public void putBacked(Connection connection, long request, Data.PutBacked message) {
    backedPuts.put(connection, request, message);
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }
}
