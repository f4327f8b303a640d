// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.ByteSize;
import io.forebay.client.ForebayOptions;
import io.forebay.client.enrol.IdentityKeeper;
import io.forebay.client.failure.WarnedOnce;
import io.forebay.metrics.Registry;
import io.forebay.metrics.Source;
import io.forebay.seat.SeatFigures;
import io.forebay.server.audit.AuditLog;
import io.forebay.server.authority.ServerEnrolment;
import io.forebay.server.machine.FailStop;
import io.forebay.server.metrics.CertificateSource;
import io.forebay.server.metrics.LoopSource;
import io.forebay.server.metrics.MetricsService;
import io.forebay.server.metrics.ServerMetrics;
import io.forebay.server.stage.Stager;
import io.forebay.server.stage.StagerConfig;
import io.forebay.server.stage.side.FilePace;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server: one or more seats, each with a thread, a log and sockets of its own. Data stays in the
 * server's directory and memory when it is closed, and the next process finds it.
 */
public final class ServerProcess implements LocalProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

  private final ServerConfig config;
  private final Stager stager;
  private final AuditLog audit;
  private final Set<Integer> left = ConcurrentHashMap.newKeySet();
  private final Ending ending;
  private final List<LoopThread<SeatCore>> seats = new ArrayList<>();
  private final List<Address> addresses = new ArrayList<>();
  private final @Nullable ServerEnrolment enrolment;
  private final Registry registry = new Registry();
  private final Source source = registry::collect;
  private @Nullable IdentityKeeper keeper;
  private @Nullable MetricsService metrics;

  private ServerProcess(
      ServerConfig config, FailStop failStop, @Nullable ServerEnrolment enrolment) {
    this.config = config;
    this.enrolment = enrolment;
    this.audit = AuditLog.start(config.name(), config.audit(), InstantSource.system());
    this.ending = new Ending(failStop);
    this.stager =
        new Stager(
            new StagerConfig(
                config.name(),
                config.managers(),
                config.staging().roots(),
                new FilePace(config.staging().bytesPerSecond()),
                ForebayOptions.defaults()
                    .withTls(config.access().tls())
                    .withWarnings(new WarnedOnce(LOG::warn))));
  }

  /** Starts a server; it listens and has announced itself, or will as soon as it can. */
  public static ServerProcess start(ServerConfig config) throws StartFailed, IOException {
    return start(config, FailStop.NONE);
  }

  /** The same, in a process of its own or in another program's. */
  public static ServerProcess start(ServerConfig given, FailStop failStop)
      throws StartFailed, IOException {
    // Before it enrols: a token has few uses.
    StoreConfig _ = given.storage().share(given.seats());
    Storage.requireMemory(given.storage().memory(given.seats()));
    ListenGuard.requireDialable(given.listen());
    ServerEnrolment enrolment = enrol(given);
    ServerConfig config =
        enrolment == null ? given : given.withAccess(given.access().with(enrolment.settings()));
    InetAddress checked = ListenGuard.check(config.listen(), config.access());
    ServerProcess server = new ServerProcess(config, failStop, enrolment);
    try {
      server.open(checked);
    } catch (StartFailed | IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static @Nullable ServerEnrolment enrol(ServerConfig config) throws StartFailed {
    if (!config.access().mayEnrol()) return null;
    ServerEnrolment.Server server =
        new ServerEnrolment.Server(
            config.name(), config.storage().directory(), config.listen(), config.managers());
    try {
      return ServerEnrolment.prepare(server, config.access().authority().token());
    } catch (IOException e) {
      throw new StartFailed(
          "server '" + config.name() + "' has no certificate: " + e.getMessage(), e);
    }
  }

  /** Opens all logs in parallel, since that takes time in proportion to their size. */
  private void open(InetAddress checked) throws StartFailed, IOException {
    OwnerOnly.createDirectories(config.storage().directory());
    TlsFiles tls = config.access().open(CertificateName.Role.SERVER, config.name());
    if (enrolment != null && tls != null) keeper = enrolment.keep(tls);
    for (int number = 1; number <= config.seats(); number++) {
      int opened = number;
      seats.add(
          LoopThread.start(
              "seat " + number + " of " + config.name(),
              tls,
              (network, timers) -> {
                network.limitTo(config.access().bounds());
                network.believe(config.access().trust());
                network.bind(config.listen().host(), checked);
                return SeatCore.open(
                    config,
                    opened,
                    network,
                    timers,
                    new SeatCore.Server(stager, audit, () -> left(opened)));
              },
              ending));
    }
    for (LoopThread<SeatCore> seat : seats) addresses.addAll(seat.opened().addresses());
    openMetrics(tls);
    Path unused = SeatCore.directoryOf(config.storage().directory(), config.seats() + 1);
    if (Files.exists(unused)) {
      LOG.warn(
          "{} holds a seat that is not started, since seats is {}; its data is not served",
          unused,
          config.seats());
    }
    LOG.info(
        "server {} is up with {} {}, {} of memory and {} of SSD, in {}",
        config.name(),
        config.seats(),
        config.seats() == 1 ? "seat" : "seats",
        ByteSize.format(config.storage().memoryBytes()),
        ByteSize.format(config.storage().ssdBytes()),
        config.storage().directory());
  }

  private void openMetrics(@Nullable TlsFiles tls) throws StartFailed {
    List<LoopSource.Asked<SeatFigures>> asked = new ArrayList<>();
    for (int i = 0; i < seats.size(); i++) {
      LoopThread<SeatCore> loop = seats.get(i);
      String name = "seat-" + (i + 1);
      asked.add(
          new LoopSource.Asked<>(
              config.name(),
              name,
              () -> loop.ask(SeatCore::figures),
              (to, figures) -> ServerMetrics.show(to, config.name(), name, figures)));
    }
    registry.add(new LoopSource<>(asked));
    if (tls != null) registry.add(new CertificateSource(config.name(), tls));
    metrics = Listening.metrics("server", config.access(), tls, registry);
  }

  /** What it tells monitoring systems. */
  Source metrics() {
    return source;
  }

  /** Where monitoring systems read its metrics; null for nowhere. */
  public @Nullable String metricsUrl() {
    return metrics == null ? null : metrics.url();
  }

  private void left(int seat) {
    if (left.add(seat) && left.size() == config.seats()) {
      LOG.info(
          "server {} has left the ring: it ends, and {} may be removed",
          config.name(),
          config.storage().directory());
      ending.closed();
    }
  }

  /** Whether all its seats have left the ring, so that it may end. */
  @Override
  public boolean over() {
    return left.size() == config.seats();
  }

  public ServerConfig config() {
    return config;
  }

  /** The addresses of its seats. */
  public List<Address> addresses() {
    return List.copyOf(addresses);
  }

  @Override
  public @Nullable String failure() {
    return ending.reason();
  }

  /**
   * Waits until it is closed, has left the ring, or one of its seats has failed.
   *
   * @return a sentence about what failed, or null
   */
  public @Nullable String await() throws InterruptedException {
    return ending.await();
  }

  /** Stops staging, which is a client of the ring, while the ring still serves. */
  void endStaging() {
    stager.close();
  }

  /** Lets all seats end soon. */
  void stop() {
    stager.stop();
    for (LoopThread<SeatCore> seat : seats) seat.stop();
  }

  /** Stops all seats and waits until their logs are closed. */
  @Override
  public void close() {
    if (metrics != null) metrics.close();
    endStaging();
    stop();
    for (LoopThread<SeatCore> seat : seats) seat.close();
    if (keeper != null) keeper.close();
    audit.close();
    ending.closed();
  }
}
