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

  public static final String MANAGER_HOST = "manager";
  public static final Address MANAGER_ADDRESS = new Address.Inet(MANAGER_HOST, 7070);

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
  private final ManagerNode manager;
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
    this.manager =
        new ManagerNode(
            this,
            new ManagerConfig(options.seats(), 60_000_000_000L, options.copies())
                .withGranuleBytes(GRANULE_BYTES),
            random.split());
    nodes.add(manager);
    for (int i = 1; i <= options.seats(); i++) {
      SeatNode seat = new SeatNode(this, i, options.store(), random.split());
      seats.add(seat);
      nodes.add(seat);
    }
  }

  /** Starts the manager and all seats. */
  public void start() {
    manager.start();
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

  public ManagerNode manager() {
    return manager;
  }

  /** The manager's map, or null. */
  public @Nullable RingMap map() {
    return manager.map();
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

  ManagerEvents managerEvents() {
    return new ManagerEvents() {
      @Override
      public void told(String sentence) {
        trace.said(clock.nanos(), "manager", sentence);
      }

      @Override
      public void warned(String sentence) {
        trace.said(clock.nanos(), "manager", "warning: " + sentence);
      }

      @Override
      public void audited(AuditEvent event) {
        trace.said(clock.nanos(), "manager", event.toString());
      }
    };
  }
}
