// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingStores;
import io.forebay.backing.held.Actor;
import io.forebay.backing.location.BackingAccess;
import io.forebay.backing.threaded.ThreadedBacking;
import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.client.ForebayOptions;
import io.forebay.client.host.HostName;
import io.forebay.seat.Seat;
import io.forebay.seat.SeatConfig;
import io.forebay.seat.SeatEnvironment;
import io.forebay.seat.SeatFigures;
import io.forebay.seat.audit.AuditEvents;
import io.forebay.server.machine.DirectMemory;
import io.forebay.server.machine.Randomness;
import io.forebay.server.machine.SocketFiles;
import io.forebay.server.machine.WallTime;
import io.forebay.server.stage.Stager;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tcp.TcpLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One seat of a server with its log, driven by its {@link LoopThread}. */
final class SeatCore implements LoopThread.Core {
  private static final Logger LOG = LoggerFactory.getLogger(SeatCore.class);

  private static final BackingStores STORES = BackingStores.ofThisProgram();

  private static final int SERVER_USER = ForebayOptions.defaults().identity().user();

  /** Enough to write in parallel while other writes are forced. */
  private static final int BACKING_THREADS = 4;

  private static final int BACKING_REQUESTS_MAX = 256;

  /** How often the seat checks for stages. */
  private static final long STAGES_NANOS = 200_000_000L;

  private final Seat seat;
  private final LogDirectory log;
  private final TcpLoop network;
  private final List<Address> addresses;
  private final AtomicBoolean left;

  private SeatCore(
      Seat seat, LogDirectory log, TcpLoop network, List<Address> addresses, AtomicBoolean left) {
    this.seat = seat;
    this.log = log;
    this.network = network;
    this.addresses = addresses;
    this.left = left;
  }

  /**
   * What the seats of a server share.
   *
   * @param stager gets the instances of a seat that have something to stage
   * @param audit gets what users did
   * @param left run when the seat has left the ring
   */
  record Server(Stager stager, AuditEvents audit, Runnable left) {}

  /**
   * Opens the log, listens, and announces the seat to the manager.
   *
   * @param number counts the server's seats from 1
   */
  static SeatCore open(
      ServerConfig config, int number, TcpLoop network, Timers timers, Server server)
      throws StartFailed, IOException {
    RandomGenerator random = Randomness.fresh();
    LogDirectory log = openLog(config, number, random, network);
    AtomicBoolean hasLeft = new AtomicBoolean();
    Runnable leaves =
        () -> {
          hasLeft.set(true);
          server.left.run();
        };
    try {
      Seat seat =
          new Seat(
              seatConfig(config, number, log),
              new SeatEnvironment(
                  timers,
                  network,
                  log.store(),
                  WallTime::nanos,
                  random,
                  new SecureRandom(),
                  new LoggedSeatEvents(nameOf(config, number), leaves, server.stager, server.audit),
                  (address, owner) -> openBacking(config, address, owner, network),
                  config.access().trust()),
              log.created() || log.memorySurvived(),
              () -> acknowledgeLoss(log));
      List<Address> addresses = listen(seat, config, number);
      seat.start();
      lookForStages(seat, timers, server.stager);
      LOG.info(
          "{} listens at {}; its log holds {} records",
          nameOf(config, number),
          addresses.get(0),
          log.report().records());
      return new SeatCore(seat, log, network, addresses, hasLeft);
    } catch (StartFailed | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static void lookForStages(Seat seat, Timers timers, Stager stager) {
    stager.instances(seat.instancesToStage());
    timers.after(STAGES_NANOS, () -> lookForStages(seat, timers, stager));
  }

  private static LogDirectory openLog(
      ServerConfig config, int number, RandomGenerator random, TcpLoop network)
      throws StartFailed, IOException {
    LogDirectory.Options options = config.storage().logs(config.seats()).get(number - 1);
    OwnerOnly.createDirectories(options.directory());
    try {
      return LogDirectory.open(
          options, MonotonicClock.system(), random, StoreEvents.NONE, network::wakeUp);
    } catch (LogUnavailable e) {
      throw new StartFailed(e.sentence(), e);
    }
  }

  private static Backing openBacking(
      ServerConfig config, String address, Identity owner, TcpLoop network) {
    Actor actor = new Actor(owner.user(), owner.groups(), SERVER_USER);
    BackingAccess access = new BackingAccess(config.name(), config.backingRoots(), actor);
    return new ThreadedBacking(
        STORES.within(access).open(address),
        BACKING_THREADS,
        BACKING_REQUESTS_MAX,
        network::wakeUp);
  }

  static Path directoryOf(Path server, int number) {
    return server.resolve("seat-" + number);
  }

  private static String nameOf(ServerConfig config, int number) {
    return "seat " + number + " of " + config.name();
  }

  private static SeatConfig seatConfig(ServerConfig config, int number, LogDirectory log) {
    StoreConfig store = log.store().config();
    SeatConfig seat =
        new SeatConfig(
                config.managers(),
                config.name(),
                config.seats(),
                HostName.identity(),
                log.id().high(),
                log.id().low(),
                config.weight(),
                store.memoryBytes(),
                store.ssdBytes(),
                config.creditBytes(),
                config.redirects(),
                SeatConfig.SNAPSHOT_BYTES_DEFAULT,
                config.scrubBytesPerSecond(),
                shuffleBytes(config))
            .inPool(config.pool())
            .withUsers(config.users());
    if (!config.joins()) return seat;
    // The others sit where they are best, apart from the first.
    return seat.joining(number == 1 ? config.after() : 0);
  }

  /** As configured, or less if the process has little memory. */
  private static long shuffleBytes(ServerConfig config) {
    long spare = DirectMemory.bytesMax() / 2 / config.seats();
    return Math.max(SeatConfig.SHUFFLE_BYTES_MIN, Math.min(config.shuffleBytes(), spare));
  }

  private static List<Address> listen(Seat seat, ServerConfig config, int number)
      throws StartFailed {
    List<Address> addresses = new ArrayList<>();
    Address.Inet first = config.listen();
    int port = first.port() == 0 ? 0 : first.port() + number - 1;
    addresses.add(Listening.at(new Address.Inet(first.host(), port), seat::listen));
    if (config.unixSockets()) {
      Path socket =
          SocketFiles.find(config.storage().directory().resolve("seat-" + number + ".sock"));
      if (socket != null) {
        addresses.add(Listening.at(new Address.Unix(socket.toString()), seat::listen));
      }
    }
    return List.copyOf(addresses);
  }

  private static void acknowledgeLoss(LogDirectory log) {
    try {
      log.acknowledgeLoss();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it tells monitoring systems; on the loop's thread. */
  SeatFigures figures() {
    return seat.figures();
  }

  List<Address> addresses() {
    return addresses;
  }

  @Override
  public boolean poll() {
    return seat.poll();
  }

  /**
   * Closes the network before the log: a payload on its way has room in a segment, which it gives
   * up when its connection ends. The memory of a seat that has left the ring is not needed any
   * more: other seats hold its data.
   */
  @Override
  public void close() throws IOException {
    try (network) {
      seat.close();
    } finally {
      if (left.get()) log.closeWithoutMemory();
      else log.close();
    }
  }
}
