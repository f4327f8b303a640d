// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.FixedMap;
import io.forebay.seat.part.Loop;
import io.forebay.seat.part.RecordedGroups;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Calls;
import io.forebay.seat.peer.Links;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.seat.peer.Peers;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.peer.RecordedNetwork;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.put.Holds;
import io.forebay.seat.put.Intake;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Faults;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Level;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a part of a seat is given, for tests of that part alone: a clock that stands still, a map
 * that is set, a small log in memory, and connections that record what is sent. All peers and the
 * manager are connected once {@link #follow} was called.
 */
public final class TestSeat {
  public static final SeatId SELF = new SeatId(1);
  public static final int SEGMENT_BYTES = StoreConfig.SEGMENT_BYTES_MIN;
  public static final int RECORD_BYTES = 1000;
  private static final Address MANAGER = new Address.Inet("manager", 7070);

  private final RecordedNetwork network = new RecordedNetwork();
  private final List<String> told = new ArrayList<>();
  private final List<String> warned = new ArrayList<>();
  private final FixedMap maps = new FixedMap();
  private final RecordedGroups groups = new RecordedGroups();
  private final FaultyDisk ssd =
      new FaultyDisk(new SplittableRandom(4), false, Long.MAX_VALUE, Faults.NONE);
  private final Basics basics;
  private final Links links;
  private final Holds holds;
  private final Intake intake;
  private long now = 1_000_000;
  private long storeNow;
  private long sequence;

  /** A seat whose log keeps 16 segments in memory. */
  public TestSeat() {
    this(StoreConfig.memory(SEGMENT_BYTES, 16L * SEGMENT_BYTES));
  }

  public TestSeat(StoreConfig config) {
    Timers timers = new Timers(() -> now);
    SeatEvents events = events();
    RepeatedWarnings warnings = new RepeatedWarnings(timers, events);
    basics =
        new Basics(
            self(),
            maps,
            groups,
            timers,
            () -> now,
            new SplittableRandom(1),
            open(config),
            events,
            warnings,
            new SeatCounters(),
            loop());
    Calls calls = new Calls(timers);
    Answers answers = new Answers();
    Peers peers = new Peers(timers, network, "host1", warnings, answers);
    answers.questions = new Questions(basics, peers, calls);
    ManagerLink manager =
        new ManagerLink(timers, network, List.of(MANAGER), "host1", calls, new Announced());
    links = new Links(peers, answers.questions, manager);
    manager.start();
    holds = new Holds(timers);
    intake = new Intake(basics.store(), holds, () -> "add servers", basics.counters().limits());
    settle();
  }

  private Store open(StoreConfig config) {
    MemoryDisk memory = MemoryDisk.onHeap(Long.MAX_VALUE, 10_000, () -> {});
    try {
      return StoreOpening.open(
              config,
              new LogId(1, 2),
              new StoreOpening.Volumes(
                  List.of(new SlotPool.Place(memory, true, "memory")),
                  config.hasSsd() ? ssd : null),
              () -> storeNow += 1_000_000,
              new SplittableRandom(3),
              StoreEvents.NONE)
          .store();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (LogMismatch e) {
      throw new IllegalStateException(e);
    }
  }

  public Basics basics() {
    return basics;
  }

  public Links links() {
    return links;
  }

  public Questions questions() {
    return links.questions();
  }

  public Intake intake() {
    return intake;
  }

  public Holds holds() {
    return holds;
  }

  /** Sentences that people were told. */
  public List<String> told() {
    return told;
  }

  public List<String> warned() {
    return warned;
  }

  /** The reasons why groups were given up. */
  public List<String> givenUp() {
    return groups.givenUp();
  }

  /** The device of a log that has one, without faults. */
  public FaultyDisk ssd() {
    return ssd;
  }

  /** Follows a map, and connects to all its seats, this one included, and to the manager. */
  public TestSeat follow(RingMap map) {
    maps.set(map);
    links.peers().follow(SELF, map);
    for (SeatEntry entry : map.seats()) {
      for (Lane lane : List.of(Lane.CONTROL, Lane.INGEST)) {
        links.peers().reachable(entry.id(), lane);
      }
    }
    network.openAll();
    takeSent();
    return this;
  }

  /** Lets time pass, with all that is due on the way. */
  public void advance(long nanos) {
    Timers timers = basics.timers();
    long end = now + nanos;
    for (long next = timers.nextNanos(); next <= end - now; next = timers.nextNanos()) {
      now += next;
      timers.runDue();
    }
    now = end;
  }

  /** Lets time pass in which the seat does nothing. */
  public void sleep(long nanos) {
    now += nanos;
  }

  /** What was sent to seats since the last call. */
  public List<Sent> takeSent() {
    return take(sent -> !sent.to().equals(MANAGER));
  }

  /** What the manager was sent since the last call, without reports. */
  public List<Sent> takeSentToManager() {
    return take(
        sent ->
            sent.to().equals(MANAGER)
                && !(sent.message() instanceof Maps.SeatReport)
                && !(sent.message() instanceof Maps.Init)
                && !(sent.message() instanceof Access.GetKeys));
  }

  private List<Sent> take(Predicate<Sent> wanted) {
    List<Sent> taken = network.sent().stream().filter(wanted).toList();
    network.sent().removeAll(taken);
    return taken;
  }

  /** The seat that something was sent to. */
  public SeatId seatOf(Sent sent) {
    RingMap map = basics.maps().map();
    if (map == null) throw new IllegalStateException("there is no map");
    for (SeatEntry entry : map.seats()) {
      if (entry.addresses().contains(sent.to().toString())) return entry.id();
    }
    throw new IllegalStateException("no seat is at " + sent.to());
  }

  /** A connection of a client to this seat. */
  public Connection client() {
    return network.client();
  }

  /** Puts a record of {@link #RECORD_BYTES} into the log. */
  public RecordId keep(FileId file, GroupId group) {
    return keep(file, group, new byte[RECORD_BYTES]);
  }

  public RecordId keep(FileId file, GroupId group, byte[] bytes) {
    RecordId record = new RecordId(9, ++sequence << 8);
    RecordHeader header = RecordHeader.data(record, file, 0, group.number(), bytes.length);
    Reserve reserve = basics.store().reserve(header, Level.KEPT);
    if (!(reserve instanceof Reserve.Reserved reserved)) {
      throw new IllegalStateException("the log answered " + reserve);
    }
    reserved.reservation().payload().put(bytes);
    basics.store().commit(reserved.reservation(), null, answer -> {});
    return record;
  }

  /** A client waits for room, since too many payloads are on their way, or the log is full. */
  public Connection press() {
    FileId file = new FileId(1, 1);
    int bytes = basics.store().config().payloadBytesMax();
    int blocks = BlockChecksums.count(bytes);
    Connection client = client();
    for (int i = 0; i < 1000; i++) {
      RecordHeader header = RecordHeader.data(new RecordId(8, ++sequence << 8), file, 0, 1, bytes);
      Landing landing =
          intake.land(client, header, false, Checksums.of(new int[blocks]), new Ignored());
      if (landing.equals(Landing.HOLD)) return client;
    }
    throw new IllegalStateException("there was room for everything");
  }

  /** The client that waited is gone. */
  public void relieve(Connection client) {
    holds.closed(client);
  }

  /** Lets the log and its device do what they have to do. */
  public void settle() {
    for (int i = 0; i < 1000; i++) {
      boolean stepped = ssd.step();
      if (!basics.store().poll() && !stepped) return;
    }
  }

  private static final class Ignored implements Intake.Outcome {
    @Override
    public void committed() {}

    @Override
    public void reached() {}

    @Override
    public void failed(ErrorCode code, String detail) {}
  }

  private static final class Answers implements Peers.Listener {
    private @Nullable Questions questions;

    @Override
    public boolean isRevoked(SeatEntry peer) {
      return false;
    }

    @Override
    public boolean isPeer(SeatEntry peer, Connection connection) {
      return true;
    }

    @Override
    public void peerUp(SeatId peer, Lane lane) {}

    @Override
    public void peerDown(SeatId peer, Lane lane) {}

    @Override
    public void answered(SeatId peer, Connection connection, long request, Message message) {
      if (questions != null) questions.answered(request, message);
    }

    @Override
    public Landing arriving(long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }
  }

  private static final class Announced implements ManagerLink.Owner {
    @Override
    public Maps.Init init() {
      return new Maps.Init(
          0, "s1", 1, "host1", 0, new Maps.SeatOffer(1, 1, 1, 1, List.of(), 1, 1, 1));
    }

    @Override
    public Maps.@Nullable SeatReport report() {
      return null;
    }

    @Override
    public void mapArrived(Maps.MapIs map) {}

    @Override
    public void trustArrived(Access.TrustIs trust) {}

    @Override
    public boolean isManager(Connection connection) {
      return true;
    }

    @Override
    public void keysArrived(Access.KeysAre keys) {}

    @Override
    public void refused(String reason) {}

    @Override
    public void unmanaged(String sentence) {}
  }

  private SeatEvents events() {
    return new SeatEvents() {
      @Override
      public void told(String sentence) {
        told.add(sentence);
      }

      @Override
      public void warned(String sentence) {
        warned.add(sentence);
      }
    };
  }

  private static Loop loop() {
    return new Loop() {
      @Override
      public void wake() {}

      @Override
      public boolean closed() {
        return false;
      }
    };
  }

  private Self self() {
    long started = now;
    return new Self() {
      @Override
      public SeatId id() {
        return SELF;
      }

      @Override
      public boolean hasPlace() {
        return true;
      }

      @Override
      public long incarnation() {
        return 1;
      }

      @Override
      public long processStart() {
        return 1;
      }

      @Override
      public long startedNanos() {
        return started;
      }
    };
  }
}
