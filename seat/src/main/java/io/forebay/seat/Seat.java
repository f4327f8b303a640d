package io.forebay.seat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.planted.Planted;
import io.forebay.base.planted.PlantedBug;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.store.Commit;
import io.forebay.store.Level;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
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
import java.util.TreeSet;
import java.util.function.Function;
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
  private final boolean survived;
  private final Runnable lossKept;
  private final Store store;
  private final Timers timers;
  private final MemoryKeeper memory;
  private final Calls calls;
  private final RepeatedWarnings warnings;
  private final Peers peers;
  private final ManagerLink manager;
  private final Holds holds;
  private final Intake intake;
  private final Reads reads;
  private final SeatDoor door;
  private final Stabilizer stabilizer;
  private final LeftGroups left;
  private final Overload overload;
  private final Kills kills;
  private final Sweep sweep;
  private final Mending mending;
  private final Scrub scrub;
  private final CopyCheck copyCheck;
  private final SeatCounters counters = new SeatCounters();
  private final Map<GroupId, GroupSeat> groups = new TreeMap<>();
  private final HeldSegments heldSegments;
  private final Map<SeatId, CopyQueue> copies = new TreeMap<>();
  private final TreeSet<Integer> dropped = new TreeSet<>();

  /** Groups whose home before the newest map may have a lease from this seat. */
  private final TreeSet<GroupId> promised = new TreeSet<>();

  private final List<Network.Listener> listeners = new ArrayList<>();
  private final long startedNanos;
  private SeatId id = NOBODY;
  private final long start;
  private long incarnation;
  private Bytes mapBytes = Bytes.EMPTY;

  /** The newest map that has been or is being written down. */
  private Bytes keptBytes = Bytes.EMPTY;

  private @Nullable RingMap map;
  private @Nullable RingMap remembered;
  private long keepingEpoch;
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
    this.survived = survived;
    this.lossKept = lossKept;
    this.store = environment.store();
    this.timers = environment.timers();
    this.startedNanos = timers.nanos();
    this.start = environment.random().nextLong();
    this.fetchedNanos = startedNanos - MAP_FETCH_NANOS;
    this.memory = new MemoryKeeper(store, timers);
    this.calls = new Calls(timers);
    this.warnings = new RepeatedWarnings(timers, environment.events());
    this.peers = new Peers(timers, environment.network(), config.host(), warnings, this);
    this.manager =
        new ManagerLink(
            timers, environment.network(), config.managers(), config.host(), calls, this);
    this.holds = new Holds(timers);
    this.intake = new Intake(store, holds);
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
    this.copyCheck = new CopyCheck(this);
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
    memory.load(this::remembered);
    stabilizer.start();
    tick();
  }

  private void remembered(@Nullable SeatMemory found, @Nullable String problem) {
    if (problem != null) {
      warn(problem + "; the seat starts as a new one");
    }
    if (found != null && (survived || planted(PlantedBug.SAME_INCARNATION_AFTER_LOSS))) {
      incarnation = found.incarnation();
      restore(found);
      manager.start();
      return;
    }
    incarnation = newIncarnation();
    if (found != null) restore(found);
    memory.keep(
        SeatMemory.of(incarnation, mapBytes, dropped, promised),
        () -> {
          lossKept.run();
          manager.start();
        });
  }

  private long newIncarnation() {
    long drawn = environment.random().nextLong();
    return drawn == 0 ? 1 : drawn;
  }

  /**
   * Goes on from what was remembered, but enters no group: messages of the epoch that the process
   * before took part in may still be on their way. The manager raises the epochs of a seat that has
   * started again.
   */
  private void restore(SeatMemory found) {
    dropped.addAll(found.dropped());
    promised.addAll(found.promised());
    if (found.map().length() == 0) return;
    try {
      mapBytes = found.map();
      keptBytes = mapBytes;
      map = RingMapCodec.read(mapBytes);
      remembered = map;
    } catch (MalformedFields e) {
      warn("the map this seat remembers is damaged: " + e.getMessage());
      mapBytes = Bytes.EMPTY;
      keptBytes = mapBytes;
    }
  }

  // What the manager says.

  @Override
  public Maps.Init init() {
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
            incarnation,
            start,
            addresses,
            config.memoryBytes(),
            config.ssdBytes(),
            config.weight()),
        config.joins(),
        new SeatId(config.after()));
  }

  @Override
  public Maps.@Nullable SeatReport report() {
    return map == null || id.equals(NOBODY)
        ? null
        : new Maps.SeatReport(id, incarnation, map.epoch());
  }

  @Override
  public void refused(String reason) {
    warn("the manager refuses this seat: " + reason);
  }

  @Override
  public void mapArrived(Maps.MapIs message) {
    if (message.map().length() == 0) return;
    RingMap newer;
    try {
      newer = RingMapCodec.read(message.map());
    } catch (MalformedFields e) {
      warn("a map from the manager is unusable: " + e.getMessage());
      return;
    }
    RingMap known = map;
    if (known != null && newer.cluster() != known.cluster()) {
      warn("a map of another cluster, " + Long.toHexString(newer.cluster()) + ", was refused");
      return;
    }
    boolean lower = newer.epoch() <= Math.max(keepingEpoch, known == null ? 0 : known.epoch());
    if (lower && !planted(PlantedBug.SEAT_TAKES_LOWER_MAP)) return;
    // Written down before it is followed, so that no restart goes back behind it (P16).
    keepingEpoch = newer.epoch();
    Bytes bytes = message.map();
    keptBytes = bytes;
    notePromised(newer);
    memory.keep(
        SeatMemory.of(incarnation, bytes, dropped, promised),
        () -> {
          boolean overtaken = map != null && newer.epoch() <= map.epoch();
          if (overtaken && !planted(PlantedBug.SEAT_TAKES_LOWER_MAP)) return;
          mapBytes = bytes;
          apply(newer);
        });
  }

  /**
   * Notes with a map where it changes the home: a lease may have been granted to the one before,
   * and whoever starts with this map must wait for it.
   */
  private void notePromised(RingMap newer) {
    for (GroupSeat known : groups.values()) {
      Group group = newer.group(known.id());
      if (group != null && known.mayHavePromisedAgainst(group)) promised.add(known.id());
      else promised.remove(known.id());
    }
  }

  private void apply(RingMap newer) {
    map = newer;
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
                known.leave();
                left.left();
              }
              return gone;
            });
    left.follow();
    dropDestroyed();
    if (sweep.mapChanged(newer)) copyCheck.mapChanged();
    door.entered();
  }

  private GroupSeat joined(GroupId group) {
    Group before = remembered == null ? null : remembered.group(group);
    return new GroupSeat(this, group, before, promised.contains(group));
  }

  private void dropDestroyed() {
    for (Instance instance : destroyedInstances()) {
      if (dropped.contains(instance.id())) continue;
      Commit commit =
          store.kill(List.of(new Scope.WholeInstance(instance.id())), Level.KEPT, answer -> {});
      // Without room it is tried again at the next tick.
      if (commit == Commit.FULL) return;
      dropped.add(instance.id());
      // With the newest map, or an older one would take the place of the one that is followed.
      memory.keep(SeatMemory.of(incarnation, keptBytes, dropped, promised), () -> {});
    }
  }

  private List<Instance> destroyedInstances() {
    RingMap known = map;
    if (known == null) return List.of();
    return known.instances().stream().filter(Instance::destroyed).toList();
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
  public void answered(SeatId peer, Connection connection, long request, Message message) {
    if (request != 0) {
      calls.answered(request, message);
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

  // What the parts of a seat share.

  /** The group as this seat has entered it, or null; for whoever looks on. */
  public @Nullable Group entered(GroupId group) {
    GroupSeat known = groups.get(group);
    return known == null ? null : known.group();
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

  long incarnation() {
    return incarnation;
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

  Reads reads() {
    return reads;
  }

  Kills kills() {
    return kills;
  }

  Mending mending() {
    return mending;
  }

  SeatCounters counters() {
    return counters;
  }

  @Nullable RingMap map() {
    return map;
  }

  /** The epoch of the map this seat follows, or 0. */
  long mapEpoch() {
    return map == null ? 0 : map.epoch();
  }

  /** Whether the map says that the seat is away. */
  boolean away(SeatId seat) {
    SeatEntry entry = map == null ? null : map.seat(seat);
    return entry != null && entry.away();
  }

  /** A device failed: what it should have kept for the group is not safe here. */
  void giveUp(GroupId group, String reason) {
    GroupSeat member = groups.get(group);
    if (member != null) member.giveUp(reason);
  }

  /** A seat with its server, for people. */
  String serverOf(SeatId seat) {
    SeatEntry entry = map == null ? null : map.seat(seat);
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
    Instance known = map == null ? null : map.instance(instance);
    return known == null || known.destroyed() ? null : known;
  }

  /** Whether an instance that this seat's map does not have may be in a newer one. */
  boolean mayBeNew(int instance) {
    RingMap known = map;
    if (known == null) return true;
    // Numbers are given in order and never again.
    return known.instances().stream().noneMatch(each -> each.id() >= instance);
  }

  boolean destroyed(int instance) {
    Instance known = map == null ? null : map.instance(instance);
    return known != null && known.destroyed();
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

  /** Something is to be done soon: the loop shall not sleep before the next {@link #poll}. */
  void wake() {
    wanted = true;
  }

  /** Asks another seat; the reply comes later, null if the seat cannot be reached. */
  void ask(SeatId peer, Message message, long timeoutNanos, Calls.Reply reply) {
    long request = calls.begin(timeoutNanos, reply);
    if (!peers.send(peer, Lane.CONTROL, request, message)) {
      timers.after(TICK_NANOS, () -> calls.failed(request));
    }
  }

  /** Asks the home of a group, as the map has it. */
  void askHome(
      GroupId group, Function<Group, Message> question, long timeoutNanos, Calls.Reply reply) {
    Group known = map == null ? null : map.group(group);
    if (known == null) timers.after(TICK_NANOS, () -> reply.replied(null));
    else ask(known.home(), question.apply(known), timeoutNanos, reply);
  }

  /** Asks the manager for a newer map, now and then. */
  void fetchMap() {
    if (nanos() - fetchedNanos < MAP_FETCH_NANOS) return;
    fetchedNanos = nanos();
    manager.fetchMap(mapEpoch());
  }

  Maps.MapIs mapSince(long haveEpoch) {
    RingMap known = map;
    if (known == null) return new Maps.MapIs(0, Bytes.EMPTY);
    return new Maps.MapIs(known.epoch(), known.epoch() > haveEpoch ? mapBytes : Bytes.EMPTY);
  }

  // The loop.

  /** Takes the store's answers and goes on with what waits; says whether to call again soon. */
  public boolean poll() {
    boolean busy = store.poll();
    memory.poll();
    for (GroupSeat group : groups.values()) group.poll();
    for (CopyQueue queue : copies.values()) queue.poll();
    reads.poll();
    boolean again = wanted;
    wanted = false;
    return again || busy;
  }

  private void tick() {
    if (closed) return;
    for (GroupSeat group : groups.values()) group.tick();
    door.poll();
    left.tick();
    overload.tick();
    sweep.poll();
    scrub.poll();
    copyCheck.poll();
    mending.poll();
    dropDestroyed();
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
  }
}
