// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.seat.audit.AuditEvent;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.seat.part.SeatEvents;
import io.forebay.simulation.backing.BackingFaults;
import io.forebay.simulation.backing.SimulatedBacking;
import io.forebay.simulation.backing.SimulatedBackingStore;
import io.forebay.wire.Address;
import io.forebay.wire.memory.MemoryNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A manager, seats and clients in one thread. Nothing happens outside {@link #step}, and everything
 * in it follows from the seed.
 */
public final class World {
  /** The unit of capacity in small stores. */
  public static final long GRANULE_BYTES = 256 * 1024;

  /** The host of the first manager, which is the only one of most worlds. */
  public static final String MANAGER_HOST = "manager";

  private static final int MANAGER_PORT = 7070;
  private static final Address.Inet FIRST_MANAGER = new Address.Inet(MANAGER_HOST, MANAGER_PORT);
  public static final Address MANAGER_ADDRESS = FIRST_MANAGER;

  /** Drawn separately, so that worlds with one manager keep their courses. */
  private static final long MANAGERS = 0x6d61_6e61_6765_7273L;

  /** The largest step of time while a disk has pending work. */
  private static final long DISK_NANOS_MAX = 100_000L;

  private static final int POLLS_MAX = 100;

  private final SimulatedClock clock = new SimulatedClock();
  private final Timers networkTimers = new Timers(clock);
  private final WorldOptions options;
  private final SplittableRandom random;
  private final Trace trace = new Trace();
  private final MemoryNetwork network;
  private final SimulatedBackingStore store = new SimulatedBackingStore();
  private final BackingFaults weather = new BackingFaults(networkTimers, store);
  private final List<Node> nodes = new ArrayList<>();
  private final List<SeatNode> seats = new ArrayList<>();
  private final List<ManagerNode> managers = new ArrayList<>();
  private final @Nullable SimulatedGroup group;
  private @Nullable RingMap newestMap;
  private long steps;

  public World(WorldOptions options, long seed) {
    this.options = options;
    this.random = new SplittableRandom(seed);
    store.watch(
        new SimulatedBackingStore.Watcher() {
          @Override
          public void happened(String sentence) {
            trace.said(clock.nanos(), "store", sentence);
          }
        });
    this.network = new MemoryNetwork(networkTimers, random.split(), options.network(), trace);
    SplittableRandom courses = new SplittableRandom(seed ^ MANAGERS);
    this.group =
        options.managers() == 1
            ? null
            : new SimulatedGroup(networkTimers, courses, network::isInterrupted);
    ManagerConfig config =
        new ManagerConfig(options.seats(), 60_000_000_000L, options.copies())
            .withGranuleBytes(GRANULE_BYTES);
    managers.add(new ManagerNode(this, FIRST_MANAGER, config, group, random.split()));
    for (int i = 2; i <= options.managers(); i++) {
      Address.Inet address = new Address.Inet("manager-" + i, MANAGER_PORT);
      managers.add(new ManagerNode(this, address, config, group, courses.split()));
    }
    nodes.addAll(managers);
    if (group != null) managers.forEach(group::add);
    for (int i = 1; i <= options.seats(); i++) {
      SeatNode seat = new SeatNode(this, i, options.store(), random.split());
      seats.add(seat);
      nodes.add(seat);
    }
  }

  /** Starts the manager and all seats. */
  public void start() {
    for (ManagerNode manager : managers) manager.start();
    if (group != null) group.start();
    for (SeatNode seat : seats) seat.start();
  }

  /** One more server, which joins the ring when it is started. */
  public SeatNode newSeat() {
    SeatNode seat = new SeatNode(this, seats.size() + 1, options.store(), random.split());
    seat.join(0);
    seats.add(seat);
    nodes.add(seat);
    return seat;
  }

  /** Where files are drained to. */
  public SimulatedBackingStore store() {
    return store;
  }

  /** The faults of the backing store. */
  public BackingFaults weather() {
    return weather;
  }

  SimulatedBacking backing(String host, SplittableRandom random) {
    return new SimulatedBacking(store, weather, host, random);
  }

  SimulatedClock clock() {
    return clock;
  }

  public MemoryNetwork network() {
    return network;
  }

  SplittableRandom random() {
    return random;
  }

  public WorldOptions options() {
    return options;
  }

  public Trace trace() {
    return trace;
  }

  public List<SeatNode> seats() {
    return seats;
  }

  public SeatNode seatAt(String host) {
    for (SeatNode seat : seats) {
      if (seat.host().equals(host)) return seat;
    }
    throw new IllegalArgumentException("no seat at " + host);
  }

  /** The manager, or the first of several. */
  public ManagerNode manager() {
    return managers.getFirst();
  }

  public List<ManagerNode> managers() {
    return managers;
  }

  /** The only manager, or one of several, often the one that leads. */
  public ManagerNode anyManager(SplittableRandom choice) {
    if (group == null) return manager();
    GroupNode leader = group.leader();
    if (leader instanceof ManagerNode manager && choice.nextBoolean()) return manager;
    return managers.get(choice.nextInt(managers.size()));
  }

  public boolean isManager(String host) {
    return managers.stream().anyMatch(manager -> manager.host().equals(host));
  }

  /** Where managers listen. */
  public List<Address> managerAddresses() {
    return managers.stream().map(ManagerNode::address).toList();
  }

  /** The address of the manager that leads; of the first one while none does. */
  public Address leaderAddress() {
    GroupNode leader = group == null ? null : group.leader();
    return leader == null ? MANAGER_ADDRESS : leader.address();
  }

  /** Whether it is the manager that was last told that it leads. */
  public boolean isLastLeader(String host) {
    GroupNode last = group == null ? manager() : group.lastLeader();
    return last != null && last.host().equals(host);
  }

  /** When the manager that was last told that it leads was told so. */
  public long ledSinceNanos() {
    return group == null ? 0 : group.ledSinceNanos();
  }

  /** Several managers change their leader only if they must from now on. */
  public void calmManagers() {
    if (group != null) group.calmDown();
  }

  /**
   * The manager's map, or null. Of several managers, the newest map that any of them has had: what
   * one knows that has died, the others will know.
   */
  public @Nullable RingMap map() {
    if (group == null) return manager().map();
    for (ManagerNode manager : managers) {
      RingMap map = manager.map();
      RingMap known = newestMap;
      if (map != null && (known == null || map.epoch() > known.epoch())) newestMap = map;
    }
    return newestMap;
  }

  public long nanos() {
    return clock.nanos();
  }

  /** The number of steps so far. */
  public long steps() {
    return steps;
  }

  public void add(Node node) {
    nodes.add(node);
  }

  public void remove(Node node) {
    nodes.remove(node);
  }

  /** The process does nothing until it is resumed; messages to it wait. */
  public void pause(Node node) {
    node.setPaused(true);
    network.freeze(node.host());
  }

  public void resume(Node node) {
    node.setPaused(false);
    network.thaw(node.host());
  }

  /** Does everything that is due now, then lets time pass until something is due again. */
  public void step() {
    steps++;
    networkTimers.runDue();
    boolean busy = false;
    for (Node node : List.copyOf(nodes)) busy |= node.isRunning() && run(node);
    long next = networkTimers.nextNanos();
    for (Node node : nodes) {
      if (node.isRunning()) next = Math.min(next, node.timers().nextNanos());
    }
    if (busy) next = Math.min(next, 1 + random.nextLong(DISK_NANOS_MAX));
    if (next == Timers.NEVER) throw new IllegalStateException("nothing will ever happen again");
    clock.advance(next);
  }

  private static boolean run(Node node) {
    node.timers().runDue();
    boolean busy = false;
    for (int i = 0; i < POLLS_MAX && node.isAlive(); i++) {
      busy = node.poll();
      if (!busy) break;
    }
    return busy;
  }

  /** Steps until the condition holds; returns whether it did within this simulated time. */
  public boolean runUntil(BooleanSupplier condition, long withinNanos) {
    long end = clock.nanos() + withinNanos;
    while (!condition.getAsBoolean()) {
      if (clock.nanos() - end > 0) return false;
      step();
    }
    return true;
  }

  /** Steps for this much simulated time. */
  public void runFor(long nanos) {
    long end = clock.nanos() + nanos;
    while (clock.nanos() - end < 0) step();
  }

  SeatEvents eventsOf(String host, Runnable left) {
    return new SeatEvents() {
      @Override
      public void told(String sentence) {
        trace.said(clock.nanos(), host, sentence);
      }

      @Override
      public void warned(String sentence) {
        trace.said(clock.nanos(), host, "warning: " + sentence);
      }

      @Override
      public void audited(AuditEvent event) {
        trace.said(clock.nanos(), host, event.toString());
      }

      @Override
      public void left() {
        left.run();
      }
    };
  }

  ManagerEvents managerEvents(String host) {
    return new ManagerEvents() {
      @Override
      public void told(String sentence) {
        trace.said(clock.nanos(), host, sentence);
      }

      @Override
      public void warned(String sentence) {
        trace.said(clock.nanos(), host, "warning: " + sentence);
      }

      @Override
      public void audited(AuditEvent event) {
        trace.said(clock.nanos(), host, event.toString());
      }
    };
  }
}
