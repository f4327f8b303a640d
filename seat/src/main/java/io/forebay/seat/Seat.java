package io.forebay.seat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.planted.Planted;
import io.forebay.base.planted.PlantedBug;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.store.Store;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One seat: keeps records for the groups it belongs to, and is the home of its own. Driven by its
 * loop: what arrives on the network, timers, and {@link #poll} after each round.
 */
public final class Seat implements Peers.Listener, ManagerLink.Seat {
  private static final long TICK_NANOS = 20_000_000L;
  private static final long MAP_FETCH_NANOS = 100_000_000L;
  private static final SeatId NOBODY = new SeatId(-1);

  private final SeatConfig config;
  private final SeatEnvironment environment;
  private final Store store;
  private final Timers timers;
  private final MapMemory memory;
  private final Questions questions;
  private final RepeatedWarnings warnings;
  private final ReadGuard readGuard;
  private final Peers peers;
  private final ManagerLink manager;
  private final Holds holds;
  private final Intake intake;
  private final RecordRights recordRights;
  private final Reads reads;
  private final SeatDoor door;
  private final Stabilizer stabilizer;
  private final LeftGroups left;
  private final Overload overload;
  private final Kills kills;
  private final Sweep sweep;
  private final Mending mending;
  private final Scrub scrub;
  private final SoundCheck soundCheck;
  private final CopyCheck copyCheck;
  private final Backings backings;
  private final DrainWriter drainWriter;
  private final SentStoreCalls sentStoreCalls = new SentStoreCalls();
  private final RoomCall roomCall;
  private final SeatCounters counters = new SeatCounters();
  private final RepairPace repairPace = new RepairPace(counters);
  private final Map<GroupId, GroupSeat> groups = new TreeMap<>();

  /** What was promised in groups that this seat has left, should it come back soon. */
  private final Map<GroupId, GroupSeat.Promise> promises = new TreeMap<>();

  private final HeldSegments heldSegments;
  private final Map<SeatId, CopyQueue> copies = new TreeMap<>();
  private final List<Network.Listener> listeners = new ArrayList<>();
  private final long startedNanos;
  private SeatId id = NOBODY;
  private final long start;
  private long fetchedNanos;
  private boolean wanted;
  private boolean closed;

  /**
   * A seat over a log that is open.
   *
   * @param survived whether everything the log ever kept is still there (P11); irrelevant for a new
   *     log
   * @param lossKept called when the seat has written down that it is somebody new after a loss
   */
  public Seat(SeatConfig config, SeatEnvironment environment, boolean survived, Runnable lossKept) {
    this.config = config;
    this.environment = environment;
    this.store = environment.store();
    this.timers = environment.timers();
    this.startedNanos = timers.nanos();
    this.start = environment.random().nextLong();
    this.fetchedNanos = startedNanos - MAP_FETCH_NANOS;
    this.memory = new MapMemory(this, new MemoryKeeper(store, timers), survived, lossKept);
    Calls calls = new Calls(timers);
    this.questions = new Questions(this, calls);
    this.warnings = new RepeatedWarnings(timers, environment.events());
    this.readGuard = new ReadGuard(timers, environment.events());
    this.peers = new Peers(timers, environment.network(), config.host(), warnings, this);
    this.manager =
        new ManagerLink(
            timers, environment.network(), config.managers(), config.host(), calls, this);
    this.holds = new Holds(timers);
    this.intake = new Intake(store, holds, () -> backings().howToMakeRoom());
    this.recordRights =
        new RecordRights(
            new TreeKeys(questions, timers, this::instance, this::keysOf), environment.planted());
    this.reads = new Reads(this);
    this.heldSegments = new HeldSegments(store.ingestSegments());
    this.door = new SeatDoor(this);
    this.stabilizer = new Stabilizer(this);
    this.left = new LeftGroups(this);
    this.overload = new Overload(this);
    this.kills = new Kills(this);
    this.sweep = new Sweep(this);
    this.mending = new Mending(this);
    this.scrub = new Scrub(this);
    this.soundCheck = new SoundCheck(this);
    this.copyCheck = new CopyCheck(this);
    this.backings = new Backings(this, environment.backings());
    this.drainWriter = new DrainWriter(this);
    this.roomCall = new RoomCall(this);
  }

  /** Listens; before {@link #start}. Gives the address, with the port that was chosen. */
  public Address listen(Address at) throws IOException {
    Network.Listener listener = environment.network().listen(at, door, door);
    listeners.add(listener);
    return listener.address();
  }

  /** Remembers who it was, and announces itself to the manager. */
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
            incarnation(),
            start,
            addresses,
            config.memoryBytes(),
            config.ssdBytes(),
            config.weight(),
            memory.followedBefore()),
        config.joins(),
        new SeatId(config.after()));
  }

  @Override
  public Maps.@Nullable SeatReport report() {
    RingMap map = map();
    return map == null || id.equals(NOBODY)
        ? null
        : new Maps.SeatReport(id, incarnation(), map.epoch());
  }

  @Override
  public void refused(String reason) {
    warn("the manager refuses this seat: " + reason);
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
  void follow(RingMap newer) {
    for (SeatEntry seat : newer.seats()) {
      if (seat.logHigh() == config.logHigh() && seat.logLow() == config.logLow()) id = seat.id();
    }
    SeatEntry self = newer.seat(id);
    if (self == null) return;
    if (self.stay() == SeatEntry.Stay.LEFT) environment.events().left();
    peers.follow(id, newer);
    for (Group group : newer.groups()) {
      if (group.indexOf(id) >= 0) {
        groups.computeIfAbsent(group.id(), this::joined).follow(group);
      }
    }
    groups
        .values()
        .removeIf(
            known -> {
              Group group = newer.group(known.id());
              boolean gone = group == null || group.indexOf(id) < 0;
              if (gone) {
                GroupSeat.Promise promise = known.promise();
                if (promise != null) promises.put(known.id(), promise);
                known.leave();
                left.left();
              }
              return gone;
            });
    left.follow();
    memory.dropDestroyed();
    if (sweep.mapChanged(newer)) copyCheck.mapChanged();
    door.entered();
  }

  private GroupSeat joined(GroupId group) {
    GroupSeat joined = new GroupSeat(this, group, memory.before(group), memory.hasPromised(group));
    GroupSeat.Promise before = promises.remove(group);
    if (before != null) joined.keep(before);
    return joined;
  }

  void entered() {
    door.entered();
  }

  // What peers say.

  @Override
  public void peerUp(SeatId peer, Lane lane) {
    for (GroupSeat group : groups.values()) group.peerUp(peer, lane);
  }

  @Override
  public void peerDown(SeatId peer, Lane lane) {
    if (lane == Lane.CONTROL) questions.lost(peer);
  }

  @Override
  public void answered(SeatId peer, Connection connection, long request, Message message) {
    if (request != 0) {
      questions.answered(request, message);
    } else if (message instanceof Journals.Appended appended) {
      GroupSeat group = groups.get(appended.group());
      if (group == null || group.epoch() != appended.epoch()) return;
      GroupHome home = group.home();
      if (home != null && home.started()) {
        home.slow().entriesAnswered(appended.member());
        home.replicated().appended(appended);
      }
    } else if (message instanceof Maps.MapIs newer) {
      mapArrived(newer);
    }
  }

  @Override
  public Landing arriving(long request, Message message, int payloadBytes) {
    return questions.arriving(request, message, payloadBytes);
  }

  // What the parts of a seat share.

  /** The group as this seat has entered it, or null; for whoever looks on. */
  public @Nullable Group entered(GroupId group) {
    GroupSeat known = groups.get(group);
    return known == null ? null : known.group();
  }

  /**
   * The names of instances whose pairs this seat answers for now, and which have one whose key
   * begins so; for whoever looks on.
   */
  public List<String> instancesWithPairs(String prefix) {
    return StatusReport.instancesWithPairs(this, prefix);
  }

  /** The state of a group that this seat serves under leases, or null; for whoever looks on. */
  public @Nullable GroupState served(GroupId group) {
    GroupSeat known = groups.get(group);
    GroupHome home = known == null ? null : known.home();
    return home != null && home.leased() ? home.state() : null;
  }

  boolean planted(PlantedBug bug) {
    return environment.planted().is(bug);
  }

  Planted planted() {
    return environment.planted();
  }

  SeatConfig config() {
    return config;
  }

  SeatId id() {
    return id;
  }

  /** Whether it knows who it is in the ring: after a start not before it follows a map. */
  boolean hasPlace() {
    return !id.equals(NOBODY);
  }

  long incarnation() {
    return memory.incarnation();
  }

  /** Drawn when this process started. */
  long processStart() {
    return start;
  }

  boolean closed() {
    return closed;
  }

  Stabilizer stabilizer() {
    return stabilizer;
  }

  Overload overload() {
    return overload;
  }

  RandomGenerator random() {
    return environment.random();
  }

  /** For keys: nobody can foretell what it gives. */
  RandomGenerator secrets() {
    return environment.secrets();
  }

  Store store() {
    return store;
  }

  Timers timers() {
    return timers;
  }

  long startedNanos() {
    return startedNanos;
  }

  long nanos() {
    return timers.nanos();
  }

  long wallNanos() {
    return environment.wallClock().nanos();
  }

  Questions questions() {
    return questions;
  }

  Peers peers() {
    return peers;
  }

  HeldSegments heldSegments() {
    return heldSegments;
  }

  /** Where records are sent that another seat shall have too. */
  CopyQueue copiesTo(SeatId peer) {
    return copies.computeIfAbsent(peer, to -> new CopyQueue(this, to));
  }

  ManagerLink manager() {
    return manager;
  }

  Holds holds() {
    return holds;
  }

  Intake intake() {
    return intake;
  }

  private @Nullable HomeKeys keysOf(GroupId group) {
    GroupSeat known = groups.get(group);
    GroupHome home = known == null ? null : known.home();
    return home != null && home.leased() ? home.names().keys() : null;
  }

  /** Which records clients may name. */
  RecordRights recordRights() {
    return recordRights;
  }

  Reads reads() {
    return reads;
  }

  Kills kills() {
    return kills;
  }

  SoundCheck soundCheck() {
    return soundCheck;
  }

  Mending mending() {
    return mending;
  }

  Backings backings() {
    return backings;
  }

  SentStoreCalls sentStoreCalls() {
    return sentStoreCalls;
  }

  DrainWriter drainWriter() {
    return drainWriter;
  }

  SeatCounters counters() {
    return counters;
  }

  RepairPace repairPace() {
    return repairPace;
  }

  @Nullable RingMap map() {
    return memory.map();
  }

  /** The epoch of the map this seat follows, or 0. */
  long mapEpoch() {
    RingMap map = map();
    return map == null ? 0 : map.epoch();
  }

  Maps.MapIs mapSince(long haveEpoch) {
    return memory.mapSince(haveEpoch);
  }

  private @Nullable SeatEntry entryOf(SeatId seat) {
    RingMap map = map();
    return map == null ? null : map.seat(seat);
  }

  /** Whether the map says that the seat is away. */
  boolean away(SeatId seat) {
    SeatEntry entry = entryOf(seat);
    return entry != null && entry.away();
  }

  /** A device failed: what it should have kept for the group is not safe here. */
  void giveUp(GroupId group, String reason) {
    GroupSeat member = groups.get(group);
    if (member != null) member.giveUp(reason);
  }

  /**
   * Whether this seat has no place in the group, by a map that has it in that epoch or a later one:
   * what comes for it then need not wait for a newer map.
   */
  boolean isOutOf(GroupId group, long epoch) {
    RingMap map = map();
    Group known = map == null ? null : map.group(group);
    return known != null && known.epoch() >= epoch && hasPlace() && !groups.containsKey(group);
  }

  /** A seat with its server, for people. */
  String serverOf(SeatId seat) {
    SeatEntry entry = entryOf(seat);
    return entry == null ? seat.toString() : seat + " on server " + entry.server();
  }

  Collection<GroupSeat> groups() {
    return groups.values();
  }

  @Nullable GroupSeat group(GroupId group) {
    return groups.get(group);
  }

  /** An instance that is not destroyed, or null. */
  @Nullable Instance instance(int instance) {
    Instance known = known(instance);
    return known == null || known.destroyed() ? null : known;
  }

  /** Whether an instance that this seat's map does not have may be in a newer one. */
  boolean mayBeNew(int instance) {
    RingMap known = map();
    if (known == null) return true;
    // Numbers are given in order and never again.
    return known.instances().stream().noneMatch(each -> each.id() >= instance);
  }

  boolean destroyed(int instance) {
    Instance known = known(instance);
    return known != null && known.destroyed();
  }

  private @Nullable Instance known(int instance) {
    RingMap map = map();
    return map == null ? null : map.instance(instance);
  }

  void told(String sentence) {
    environment.events().told(sentence);
  }

  void warn(String sentence) {
    environment.events().warned(sentence);
  }

  /** For what may be wrong with every record. */
  RepeatedWarnings warnings() {
    return warnings;
  }

  /** For steps of requests that change nothing. */
  ReadGuard readGuard() {
    return readGuard;
  }

  /** Something is to be done soon: the loop shall not sleep before the next {@link #poll}. */
  void wake() {
    wanted = true;
  }

  /** Has so many bytes given up that backing stores have, whether this seat is full or not. */
  public void callForRoom(long bytes) {
    RingMap map = map();
    if (map != null) roomCall.call(map, bytes);
  }

  /** Asks the manager for a newer map, now and then. */
  void fetchMap() {
    if (nanos() - fetchedNanos < MAP_FETCH_NANOS) return;
    fetchedNanos = nanos();
    manager.fetchMap(mapEpoch());
  }

  // The loop.

  /** Takes the store's answers and goes on with what waits; says whether to call again soon. */
  public boolean poll() {
    boolean busy = store.poll();
    backings.poll();
    memory.poll();
    for (GroupSeat group : groups.values()) group.poll();
    for (CopyQueue queue : copies.values()) queue.poll();
    reads.poll();
    soundCheck.poll();
    boolean again = wanted;
    wanted = false;
    return again || busy;
  }

  private void tick() {
    if (closed) return;
    repairPace.tick();
    drainWriter.tick();
    roomCall.tick();
    for (GroupSeat group : groups.values()) group.tick();
    door.poll();
    left.tick();
    overload.tick();
    sweep.poll();
    scrub.poll();
    copyCheck.poll();
    mending.poll();
    memory.dropDestroyed();
    timers.after(TICK_NANOS, this::tick);
  }

  Statuses.SeatStatus status() {
    return StatusReport.of(this, door.connections(), groups.values());
  }

  /** Closes all connections; the store is its owner's to close. */
  public void close() {
    closed = true;
    for (Network.Listener listener : listeners) listener.close();
    manager.close("the seat stops");
    peers.close("the seat stops");
    for (GroupSeat group : groups.values()) group.leave();
    backings.close();
  }
}
