// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.neighbour;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Questions;
import io.forebay.store.Store;
import io.forebay.store.tier.RoomLeft;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.upkeep.KeptRoom;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Loads.Load;
import io.forebay.wire.message.Loads.Strain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Whether this seat is short of room, and which group has more: the coordinated load balancing of a
 * ring. Neighbours report how full they are with every answer to a ping. A seat that is short asks
 * along the ring, a fixed number at a time for any size of ring, and continues where it stopped
 * until it finds a group.
 */
public final class Overload {
  /** The number of seats that are asked at a time... */
  static final int ASKED_MAX = 8;

  /** ...and not again before. */
  private static final long ASK_NANOS = 250_000_000L;

  /** How long a seat's report of its load is valid. */
  private static final long BELIEVED_NANOS = 2_000_000_000L;

  /** The minimum difference for a redirect. */
  private static final int MARGIN_PERMILLE = 100;

  /** Groups that are nearly as empty as the emptiest share the redirected records. */
  private static final int ALIKE_PERMILLE = 50;

  /** More than any possible load. */
  private static final int NOBODY_PERMILLE = 2000;

  /** The shares of free segments at which redirecting begins, and ends. */
  private static final int SHORT_SHARE = 16;

  private static final int ENOUGH_SHARE = 6;

  /** Segments that must be free again before a full seat is full no longer. */
  private static final int ROOM_AGAIN = 2;

  private record Told(Load load, long nanos) {}

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final RandomGenerator random;
  private final Questions questions;
  private final Store store;
  private final StoreConfig storeConfig;
  private final PromisedRoom promises;
  private final boolean redirects;
  private final Map<SeatId, Told> others = new TreeMap<>();
  private Load own = new Load(Strain.NONE, 0);

  /** A client was to be redirected a moment ago. */
  private boolean wanted;

  private long askedNanos;
  private int walked;
  private @Nullable GroupId lastTarget;
  private long redirectedNanos;
  private long refusedNanos;

  public Overload(Basics basics, Questions questions, boolean redirects) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.random = basics.random();
    this.questions = questions;
    this.store = basics.store();
    this.storeConfig = store.config();
    this.promises = new PromisedRoom(seat, maps, store.held(), KeptRoom.bytes(storeConfig));
    this.redirects = redirects;
    this.askedNanos = timers.nanos() - ASK_NANOS;
    this.redirectedNanos = askedNanos;
    this.refusedNanos = timers.nanos() - BELIEVED_NANOS;
  }

  public Load own() {
    return own;
  }

  /** Called at intervals: checks the store, and asks other seats if room is short. */
  public void tick() {
    RoomLeft left = store.roomLeft();
    own =
        new Load(
            strain(storeConfig, left, own.strain()), usedPermille(left), promises.spareBytes());
    RingMap map = maps.map();
    boolean ask = wanted || own.strain() != Strain.NONE;
    if (map == null || !ask || timers.nanos() - askedNanos < ASK_NANOS) return;
    askedNanos = timers.nanos();
    wanted = false;
    askAlong(map);
  }

  /** The strain of a seat, given its previous strain: recovery has a higher threshold. */
  static Strain strain(StoreConfig config, RoomLeft left, Strain before) {
    int memory = config.mode() == StoreConfig.Mode.SSD ? 0 : left.memory();
    int all = memory + left.ssd();
    boolean full = all == 0 || (before == Strain.FULL && all < ROOM_AGAIN);
    if (full) return Strain.FULL;
    if (config.mode() == StoreConfig.Mode.SSD) return Strain.NONE;
    // A store of few segments has no share to keep free.
    int few = Math.min(Math.max(1, config.memorySlots() / SHORT_SHARE), left.memoryMax() / 2);
    int enough = Math.min(Math.max(2, config.memorySlots() / ENOUGH_SHARE), left.memoryMax());
    boolean isShort = memory <= few || (before != Strain.NONE && memory < enough);
    return isShort ? Strain.MEMORY : Strain.NONE;
  }

  private int usedPermille(RoomLeft left) {
    boolean memory = storeConfig.mode() != StoreConfig.Mode.SSD;
    int max = memory ? left.memoryMax() : left.ssdMax();
    return 1000 - 1000 * (memory ? left.memory() : left.ssd()) / Math.max(1, max);
  }

  /** Asks the next few seats of the ring; those with a recent answer are skipped. */
  private void askAlong(RingMap map) {
    List<SeatEntry> ring = map.seats();
    SeatEntry self = map.seat(seat.id());
    int place = self == null ? -1 : ring.indexOf(self);
    if (place < 0) return;
    // Begins again with the nearest once it has been round.
    if (walked >= ring.size() - 1) walked = 0;
    int asked = 0;
    while (walked < ring.size() - 1 && asked < ASKED_MAX) {
      SeatEntry next = ring.get((place + 1 + walked++) % ring.size());
      if (next.away()) continue;
      asked++;
      questions.ask(
          next.id(),
          new Loads.AskLoad(),
          ASK_NANOS,
          reply -> {
            if (reply instanceof Loads.LoadIs is) told(next.id(), is.load());
          });
    }
  }

  /** A seat says how full it is. */
  void told(SeatId other, Load load) {
    others.put(other, new Told(load, timers.nanos()));
    RingMap map = maps.map();
    if (map != null) others.keySet().removeIf(each -> map.seat(each) == null);
  }

  /** The strain of a group's current members, as far as it is known. */
  public Strain strainOf(Group group) {
    Load worst = worst(group, true);
    return worst == null ? Strain.NONE : worst.strain();
  }

  /** A current member other than this seat that has no room at all, or null. */
  public @Nullable SeatId fullMember(Group group) {
    for (Group.Member member : group.members()) {
      Load load = member.current() ? loadOf(member.seat()) : null;
      boolean full = load != null && load.strain() == Strain.FULL;
      if (full && !member.seat().equals(seat.id())) return member.seat();
    }
    return null;
  }

  /** Whether a group may take a record of an instance without room promised to others (P31). */
  public boolean mayTake(Group group, int instance, long bytes) {
    long spareBytes = promises.spareBytes();
    for (Group.Member member : group.members()) {
      if (!member.current() || member.seat().equals(seat.id())) continue;
      Load load = loadOf(member.seat());
      if (load != null) spareBytes = Math.min(spareBytes, load.spareBytes());
    }
    return promises.mayTake(instance, group.id(), bytes, spareBytes);
  }

  /** A record was refused, since all free room is promised to other instances. */
  public void refusedPromised() {
    refusedNanos = timers.nanos();
  }

  /** Whether that happened a moment ago, so that its client tries it again. */
  public boolean lacksSpare() {
    return timers.nanos() - refusedNanos < BELIEVED_NANOS;
  }

  /** Another group of an instance that serves, any of them, or null. */
  public @Nullable GroupId other(Group group, Instance instance) {
    RingMap map = maps.map();
    if (map == null || !redirects) return null;
    List<GroupId> others = new ArrayList<>();
    for (SeatId origin : instance.seats()) {
      Group each = map.group(GroupId.of(origin, group.id().copies()));
      if (each != null && !each.id().equals(group.id()) && serves(each)) others.add(each.id());
    }
    return others.isEmpty() ? null : others.get(random.nextInt(others.size()));
  }

  /**
   * The group that a record is redirected to since its instance has used up its granules of this
   * one: any in which the instance may have granules left, or null. Spare room comes last: what a
   * promised instance takes of it, others cannot use, while its own granules stay reserved.
   */
  public @Nullable GroupId withGranules(Group group, Instance instance) {
    RingMap map = maps.map();
    if (map == null || !redirects || !promises.hasUsedUp(instance.id(), group.id())) return null;
    List<GroupId> others = new ArrayList<>();
    for (SeatId origin : instance.allocation().seats()) {
      Group each = map.group(GroupId.of(origin, group.id().copies()));
      if (each == null || each.id().equals(group.id()) || !serves(each)) continue;
      if (!promises.hasUsedUp(instance.id(), each.id())) others.add(each.id());
    }
    return others.isEmpty() ? null : others.get(random.nextInt(others.size()));
  }

  /**
   * A better group for a record, or null: the group whose fullest member is the least full of all
   * that are known, if it has clearly more room than this one. A record for which its instance has
   * granules left here stays.
   */
  public @Nullable GroupId better(Group group, Instance instance) {
    Load here = worst(group, true);
    if (here == null || here.strain() == Strain.NONE || !redirects) return null;
    if (promises.hasGranulesLeft(instance.id(), group.id())) return null;
    wanted = true;
    RingMap map = maps.map();
    if (map == null) return null;
    List<GroupId> best = new ArrayList<>();
    int least = NOBODY_PERMILLE;
    for (SeatId origin : instance.seats()) {
      Group other = map.group(GroupId.of(origin, group.id().copies()));
      if (other == null || other.id().equals(group.id()) || !serves(other)) continue;
      Load there = worst(other, false);
      if (there == null || !isBetter(there, here)) continue;
      if (there.usedPermille() + ALIKE_PERMILLE < least) best.clear();
      if (there.usedPermille() > least + ALIKE_PERMILLE) continue;
      least = Math.min(least, there.usedPermille());
      best.add(other.id());
    }
    if (best.isEmpty()) return null;
    GroupId chosen = best.get(random.nextInt(best.size()));
    lastTarget = chosen;
    redirectedNanos = timers.nanos();
    return chosen;
  }

  private static boolean isBetter(Load there, Load here) {
    if (there.strain().compareTo(here.strain()) >= 0) return false;
    return here.strain() == Strain.FULL
        || there.usedPermille() + MARGIN_PERMILLE <= here.usedPermille();
  }

  /** Whether a group can take records with all the copies it should have. */
  private static boolean serves(Group group) {
    return group.isWhole();
  }

  /** The load of the fullest current member; null if one is unknown and must be known. */
  private @Nullable Load worst(Group group, boolean unknownIsFine) {
    Load worst = null;
    for (Group.Member member : group.members()) {
      if (!member.current()) continue;
      Load load = loadOf(member.seat());
      if (load == null && !unknownIsFine) return null;
      if (load == null) continue;
      if (worst == null || isWorse(load, worst)) worst = load;
    }
    return worst;
  }

  private static boolean isWorse(Load load, Load than) {
    int compared = load.strain().compareTo(than.strain());
    return compared > 0 || (compared == 0 && load.usedPermille() > than.usedPermille());
  }

  private @Nullable Load loadOf(SeatId member) {
    if (member.equals(seat.id())) return own;
    Told told = others.get(member);
    boolean believed = told != null && timers.nanos() - told.nanos < BELIEVED_NANOS;
    return told != null && believed ? told.load : null;
  }

  /** In words, for people. */
  public String state() {
    boolean redirecting = timers.nanos() - redirectedNanos < BELIEVED_NANOS;
    if (redirecting && lastTarget != null) return "redirecting to " + lastTarget.origin();
    return switch (own.strain()) {
      case NONE -> "ok";
      case MEMORY -> storeConfig.hasSsd() ? "spilling" : "memory is nearly full";
      case FULL -> "full: waiting for room";
    };
  }
}
