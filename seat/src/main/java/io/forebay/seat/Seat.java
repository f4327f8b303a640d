// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.access.Entrances;
import io.forebay.seat.access.SeatKeys;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.door.DoorParts;
import io.forebay.seat.door.SeatDoor;
import io.forebay.seat.drain.DrainParts;
import io.forebay.seat.drain.RoomCall;
import io.forebay.seat.drain.chunk.DrainWriter;
import io.forebay.seat.drain.chunk.WriterParts;
import io.forebay.seat.drain.naming.SentBackingCalls;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupParts;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.map.FollowedMap;
import io.forebay.seat.map.MapMemory;
import io.forebay.seat.names.NameParts;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.neighbour.Stabilizer;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Loop;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.ReadGuard;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Calls;
import io.forebay.seat.peer.Links;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.seat.peer.Peers;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.CopyQueues;
import io.forebay.seat.put.Holds;
import io.forebay.seat.put.Intake;
import io.forebay.seat.put.PutParts;
import io.forebay.seat.put.Reads;
import io.forebay.seat.reclaim.FormerGroups;
import io.forebay.seat.reclaim.RecordDeletion;
import io.forebay.seat.reclaim.Sweep;
import io.forebay.seat.repair.ChecksumCheck;
import io.forebay.seat.repair.CopyCheck;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.seat.repair.RepairPace;
import io.forebay.seat.repair.RepairParts;
import io.forebay.seat.repair.Scrub;
import io.forebay.seat.right.RecordRights;
import io.forebay.seat.right.TreeKeys;
import io.forebay.seat.use.Policies;
import io.forebay.seat.use.UseParts;
import io.forebay.store.Store;
import io.forebay.store.upkeep.KeptRoom;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.proof.Principal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One seat: keeps records for the groups it belongs to, and is the home of its own. Driven by its
 * loop: network events, timers, and {@link #poll} after each round.
 */
public final class Seat implements Peers.Listener, ManagerLink.Owner {
  private static final long TICK_NANOS = ProtocolTimes.DEFAULT.tickNanos();

  private final SeatConfig config;
  private final SeatEnvironment environment;
  private final Store store;
  private final Timers timers;
  private final FollowedMap followed;
  private final Basics basics;
  private final MapMemory memory;
  private final Questions questions;
  private final ReadGuard readGuard;
  private final Peers peers;
  private final ManagerLink manager;
  private final Holds holds;
  private final Intake intake;
  private final RecordRights recordRights;
  private final SeatKeys keys;
  private final Entrances entrances;
  private final Reads reads;
  private final CopyQueues copies;
  private final Policies policies;
  private final Stabilizer stabilizer;
  private final FormerGroups left;
  private final Overload overload;
  private final RecordDeletion kills;
  private final Sweep sweep;
  private final CorruptRecordRepair mending;
  private final Scrub scrub;
  private final ChecksumCheck soundCheck;
  private final CopyCheck copyCheck;
  private final Backings backings;
  private final DrainWriter drainWriter;
  private final RoomCall roomCall;
  private final SeatCounters counters = new SeatCounters();
  private final RepairPace repairPace = new RepairPace(counters);
  private final GroupParts groupParts;
  private final StatusReport report;
  private final SeatDoor door;
  private final MemberGroups groups = new MemberGroups(this::groupParts);

  private final List<Network.Listener> listeners = new ArrayList<>();
  private final long startedNanos;
  private SeatId id = Statuses.NO_PLACE;
  private final long start;
  private boolean wanted;
  private boolean closed;

  /**
   * A seat over an open log.
   *
   * @param survived whether everything that the log ever kept still exists (P11); irrelevant for a
   *     new log
   * @param lossKept called when the seat has recorded its new incarnation after a loss
   */
  public Seat(SeatConfig config, SeatEnvironment environment, boolean survived, Runnable lossKept) {
    this.config = config;
    this.environment = environment;
    this.store = environment.store();
    this.timers = environment.timers();
    this.startedNanos = timers.nanos();
    this.start = environment.random().nextLong();
    this.followed = new FollowedMap(timers, new MapSource());
    this.basics = basics(new Inside());
    this.memory = new MapMemory(basics, followed, new Following(), survived, lossKept);
    Calls calls = new Calls(timers);
    this.readGuard = new ReadGuard(timers, environment.events());
    this.peers = new Peers(timers, environment.network(), config.host(), basics.warnings(), this);
    this.questions = new Questions(basics, peers, calls);
    this.manager =
        new ManagerLink(
            timers, environment.network(), config.managers(), config.host(), calls, this);
    Links links = new Links(peers, questions, manager);
    this.holds = new Holds(timers);
    this.backings = new Backings(basics, environment.backings());
    this.intake = new Intake(store, holds, backings::howToMakeRoom, counters.limits());
    this.recordRights =
        new RecordRights(
            new TreeKeys(questions, timers, followed::instance, groups::keys), counters.limits());
    this.keys = new SeatKeys(manager::fetchKeys);
    this.entrances =
        new Entrances(
            environment.trust(), followed, keys, environment.wallClock(), counters.limits());
    this.reads = new Reads(basics, recordRights, entrances);
    this.copies = new CopyQueues(basics, peers);
    this.policies = new Policies(followed);
    this.overload = new Overload(basics, questions, config.redirects());
    this.stabilizer = new Stabilizer(basics, links, overload);
    this.left = new FormerGroups(basics);
    this.kills = new RecordDeletion(basics);
    this.sweep = new Sweep(basics, questions, intake, groups::reclaim);
    this.mending = new CorruptRecordRepair(basics, questions, intake, copies, groups::repair);
    this.scrub = new Scrub(basics, mending, config.scrubBytesPerSecond());
    this.soundCheck = new ChecksumCheck(basics, mending);
    this.copyCheck = new CopyCheck(basics, questions, copies);
    this.drainWriter =
        new DrainWriter(
            new WriterParts(basics, questions, mending, backings), overload, config.shuffleBytes());
    this.roomCall = new RoomCall(basics, questions, intake, overload);
    this.groupParts = groupParts(links);
    this.report =
        new StatusReport(basics, groups, overload, intake, environment.network().limits());
    this.door = new SeatDoor(doorParts());
  }

  private Basics basics(Inside inside) {
    return new Basics(
        inside,
        followed,
        groups,
        timers,
        environment.wallClock(),
        environment.random(),
        store,
        environment.events(),
        new RepeatedWarnings(timers, environment.events()),
        counters,
        inside);
  }

  private DoorParts doorParts() {
    return new DoorParts(
        basics,
        entrances,
        groups,
        questions,
        holds,
        recordRights,
        reads,
        readGuard,
        mending,
        soundCheck,
        kills,
        stabilizer,
        overload,
        backings,
        drainWriter,
        this::status,
        config.creditBytes());
  }

  private GroupParts groupParts() {
    return groupParts;
  }

  private GroupParts groupParts(Links links) {
    return new GroupParts(
        basics,
        links,
        new PutParts(
            basics,
            peers,
            intake,
            holds,
            overload,
            copies,
            backings::howToMakeRoom,
            policies,
            groups::puts),
        new RepairParts(basics, links, copies, mending, repairPace),
        new NameParts(
            basics, questions, readGuard, environment.secrets(), policies, config.users()),
        new DrainParts(basics, links, backings, new SentBackingCalls(), holds),
        new UseParts(basics, questions, policies),
        kills,
        config.snapshotBytes(),
        this::entered);
  }

  /** The seat as its parts see it. */
  private final class Inside implements Self, Loop {
    @Override
    public SeatId id() {
      return id;
    }

    @Override
    public boolean hasPlace() {
      return !id.equals(Statuses.NO_PLACE);
    }

    @Override
    public long incarnation() {
      return memory.incarnation();
    }

    @Override
    public long processStart() {
      return start;
    }

    @Override
    public long startedNanos() {
      return startedNanos;
    }

    @Override
    public void wake() {
      wanted = true;
    }

    @Override
    public boolean closed() {
      return closed;
    }
  }

  private final class MapSource implements FollowedMap.Source {
    @Override
    public void fetch(long haveEpoch) {
      manager.fetchMap(haveEpoch);
    }

    @Override
    public void arrived(Maps.MapIs message) {
      memory.arrived(message);
    }
  }

  private final class Following implements MapMemory.Follower {
    @Override
    public void follow(RingMap newer) {
      Seat.this.follow(newer);
    }

    @Override
    public Set<GroupId> groups() {
      return groups.followedOrPromised();
    }

    @Override
    public boolean mayHavePromisedAgainst(GroupId group, @Nullable SeatId home) {
      return groups.mayHavePromisedAgainst(group, home);
    }
  }

  /** Listens; before {@link #start}. Gives the address, with the port that was chosen. */
  public Address listen(Address at) throws IOException {
    Network.Listener listener = environment.network().listen(at, door, door);
    listeners.add(listener);
    return listener.address();
  }

  /** Restores its identity, and announces itself to the manager. */
  public void start() {
    mending.start();
    memory.load(manager::start);
    stabilizer.start();
    tick();
  }

  // What the manager says.

  @Override
  public Maps.Init init() {
    RingMap map = map();
    List<String> addresses = new ArrayList<>();
    for (Network.Listener listener : listeners) addresses.add(listener.address().toString());
    return new Maps.Init(
        map == null ? 0 : map.cluster(),
        config.server(),
        config.serverSeats(),
        config.host(),
        map == null ? 0 : map.epoch(),
        new Maps.SeatOffer(
            config.logHigh(),
            config.logLow(),
            memory.incarnation(),
            start,
            addresses,
            config.memoryBytes(),
            config.ssdBytes(),
            config.weight(),
            memory.followedBefore(),
            config.pool(),
            KeptRoom.bytes(store.config()),
            KeptRoom.forcedBytes(store.config())),
        config.joins(),
        new SeatId(config.after()));
  }

  @Override
  public Maps.@Nullable SeatReport report() {
    RingMap map = map();
    return map == null || id.equals(Statuses.NO_PLACE)
        ? null
        : new Maps.SeatReport(id, memory.incarnation(), map.epoch());
  }

  @Override
  public void refused(String reason) {
    stabilizer.refused();
    warn("the manager refuses this seat: " + reason + " (the seat asks again every few seconds)");
  }

  @Override
  public void unmanaged(String sentence) {
    warn(sentence);
  }

  @Override
  public void mapArrived(Maps.MapIs message) {
    memory.arrived(message);
  }

  /** From now on this map holds. */
  private void follow(RingMap newer) {
    for (SeatEntry seat : newer.seats()) {
      if (seat.logHigh() == config.logHigh() && seat.logLow() == config.logLow()) id = seat.id();
    }
    SeatEntry self = newer.seat(id);
    if (self == null) return;
    if (self.stay() == SeatEntry.Stay.LEFT) environment.events().left();
    peers.follow(id, newer);
    groups.follow(id, newer, memory, left::left);
    left.follow();
    memory.dropEnded();
    if (sweep.mapChanged(newer)) copyCheck.mapChanged();
    door.entered();
  }

  private void entered() {
    door.entered();
  }

  // What peers say.

  @Override
  public boolean isPeer(SeatEntry peer, Connection connection) {
    Principal principal = environment.trust().principalOf(connection.peer());
    return principal instanceof Principal.Operator
        || principal.equals(new Principal.Server(peer.server()));
  }

  @Override
  public boolean isManager(Connection connection) {
    Principal principal = environment.trust().principalOf(connection.peer());
    return principal instanceof Principal.Operator || principal instanceof Principal.ManagerNode;
  }

  @Override
  public void keysArrived(Access.KeysAre told) {
    keys.told(told);
  }

  @Override
  public void trustArrived(Access.TrustIs told) {
    entrances.revoked(told.revokedServers());
    peers.dropRevoked();
  }

  @Override
  public boolean isRevoked(SeatEntry peer) {
    return entrances.isRevoked(peer.server());
  }

  @Override
  public void peerUp(SeatId peer, Lane lane) {
    for (GroupSeat group : groups.all()) group.peerUp(peer, lane);
  }

  @Override
  public void peerDown(SeatId peer, Lane lane) {
    if (lane == Lane.CONTROL) questions.lost(peer);
  }

  @Override
  public void answered(SeatId peer, Connection connection, long request, Message message) {
    door.answered(connection, request, message);
  }

  @Override
  public Landing arriving(long request, Message message, int payloadBytes) {
    return door.answerArriving(request, message, payloadBytes);
  }

  // What the parts of a seat share.

  /** The group as this seat has entered it, or null; for tests and monitoring. */
  public @Nullable Group entered(GroupId group) {
    GroupSeat known = groups.of(group);
    return known == null ? null : known.group();
  }

  /**
   * The names of instances whose pairs this seat currently serves, and whose stages a server has
   * something to do for: stages that are to run, and in ending instances those that are due.
   */
  public List<String> instancesToStage() {
    return report.instancesToStage();
  }

  /** The state of a group that this seat serves under leases, or null; for tests and monitoring. */
  public @Nullable GroupState served(GroupId group) {
    GroupHome home = groups.home(group);
    return home != null && home.leased() ? home.state() : null;
  }

  /** For tests. */
  SeatDoor door() {
    return door;
  }

  /** The map that it follows, which it will remember; null if it has seen none. */
  public @Nullable RingMap map() {
    return followed.map();
  }

  private void warn(String sentence) {
    environment.events().warned(sentence);
  }

  /**
   * Asks for room, whether this seat needs it or not.
   *
   * @param full whether as a full seat does, for which files are drained before their time
   */
  public void callForRoom(long bytes, boolean full) {
    RingMap map = map();
    if (map != null) roomCall.call(map, bytes, full, false);
  }

  // The loop.

  /** Takes the store's answers and continues pending work; returns whether to call again soon. */
  public boolean poll() {
    boolean busy = store.poll();
    backings.poll();
    memory.poll();
    for (GroupSeat group : groups.all()) group.poll();
    copies.poll();
    reads.poll();
    soundCheck.poll();
    boolean again = wanted;
    wanted = false;
    return again || busy;
  }

  private void tick() {
    if (closed) return;
    repairPace.tick();
    store.ssdWrites().take(counters.ssdWrites()::add);
    drainWriter.tick();
    roomCall.tick();
    for (GroupSeat group : groups.all()) group.tick();
    door.poll();
    left.tick();
    overload.tick();
    sweep.poll();
    scrub.poll();
    copyCheck.poll();
    mending.poll();
    memory.dropEnded();
    timers.after(TICK_NANOS, this::tick);
  }

  /** What it tells monitoring systems. */
  public SeatFigures figures() {
    return new SeatFigures(
        status(door.connections()),
        store.stats(),
        new SeatFigures.Waiting(holds.count(), holds.heldNanos(), copies.records(), copies.bytes()),
        groups.uses(0).uses(),
        new SeatFigures.Drains(
            groups.undrained(), timers.nanos(), backings.pending(), backings.unusable()),
        counters.latencies().now(),
        map());
  }

  private Statuses.SeatStatus status(int connections) {
    long ssdBytes = store.ssdWrites().totalBytes();
    return report.now(
        connections,
        counters.now(mending.lost(), drainWriter.mostBytes(), ssdBytes),
        environment.trust().open());
  }

  /** Closes all connections; the store is its owner's to close. */
  public void close() {
    closed = true;
    for (Network.Listener listener : listeners) listener.close();
    manager.close("the seat stops");
    peers.close("the seat stops");
    for (GroupSeat group : groups.all()) group.leave();
    backings.close();
  }
}
