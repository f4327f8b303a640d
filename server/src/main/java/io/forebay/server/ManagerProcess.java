// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.client.host.HostName;
import io.forebay.metrics.Registry;
import io.forebay.metrics.Source;
import io.forebay.seat.consensus.Peer;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.audit.AuditLog;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.authority.ManagerTls;
import io.forebay.server.consensus.Agreement;
import io.forebay.server.consensus.ConsensusProvider;
import io.forebay.server.consensus.GroupOptions;
import io.forebay.server.consensus.ManagerGroup;
import io.forebay.server.consensus.OwnLog;
import io.forebay.server.machine.FailStop;
import io.forebay.server.machine.Randomness;
import io.forebay.server.metrics.CertificateSource;
import io.forebay.server.metrics.LoopSource;
import io.forebay.server.metrics.ManagerMetrics;
import io.forebay.server.metrics.MetricsService;
import io.forebay.server.proof.Munge;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A manager: keeps the map in a log of its own and sends it to seats and clients. Its decisions
 * stay in its directory when it is closed, and the next process finds them.
 */
public final class ManagerProcess implements LocalProcess {
  /**
   * The configuration of a manager's process.
   *
   * @param access how peers reach it
   * @param audit where its audit log is
   * @param group how it is one of several; null for a manager that is alone
   */
  public record Config(
      Path directory,
      Address.Inet listen,
      Access access,
      ManagerConfig gathering,
      AuditFiles audit,
      @Nullable GroupOptions group) {
    public static Config from(Settings settings) throws BadSetting {
      Path directory = settings.get(Keys.DIR);
      return new Config(
          directory,
          settings.get(Keys.MANAGER_LISTEN),
          Access.ofManager(settings),
          new ManagerConfig(
              settings.get(Keys.EXPECT),
              settings.get(Keys.WAIT).toNanos(),
              settings.get(Keys.MANAGER_COPIES),
              settings.get(Keys.GONE_AFTER).toNanos(),
              ManagerConfig.QUIET_NANOS_DEFAULT,
              settings.get(Keys.GRANULARITY)),
          AuditFiles.from(settings),
          group(settings, directory));
    }

    private static @Nullable GroupOptions group(Settings settings, Path directory)
        throws BadSetting {
      Address.Inet peer = settings.find(Keys.PEER_LISTEN);
      List<Address> others = settings.find(Keys.OTHER_MANAGERS);
      String name = settings.find(Keys.MANAGER_NAME);
      if (others == null && settings.find(Keys.TOKEN) != null) {
        throw new BadSetting(
            "token lets a manager join others, and managers is not set; name the others, or remove token");
      }
      if (peer == null) {
        if (others == null && name == null) return null;
        throw new BadSetting(
            "%s is for one of several managers, and peer-listen is not set; name the address at which the others reach this one"
                .formatted(others == null ? "manager-name" : "managers"));
      }
      return new GroupOptions(
          name != null ? name : usualName(directory), peer, others == null ? List.of() : others);
    }

    /** The end of a long name, which has what differs between managers of one host. */
    private static String usualName(Path directory) {
      String name = HostName.local() + "-" + directory.toAbsolutePath().getFileName();
      String allowed = name.replaceAll("[^A-Za-z0-9._-]", "-");
      return allowed.substring(Math.max(0, allowed.length() - Peer.NAME_CHARS_MAX));
    }

    Config with(Access other) {
      return new Config(directory, listen, other, gathering, audit, group);
    }

    Config at(Address.Inet address) {
      return new Config(directory, address, access, gathering, audit, group);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(ManagerProcess.class);

  private final Ending ending;
  private final AuditLog audit;
  private final LoopThread<ManagerCore> loop;
  private final Address.Inet address;
  private final @Nullable ManagerAuthority authority;
  private final @Nullable TlsFiles tls;
  private final Registry registry = new Registry();
  private final @Nullable MetricsService metrics;

  private ManagerProcess(
      Config config, InetAddress checked, FailStop failStop, @Nullable ManagerAuthority authority)
      throws StartFailed, IOException {
    this.authority = authority;
    this.ending = new Ending(failStop);
    this.audit = AuditLog.start("manager", config.audit(), InstantSource.system());
    @Nullable TlsFiles files;
    try {
      files = config.access().open(CertificateName.Role.MANAGER, null);
      ManagerGroup.Opening group = group(config, files);
      this.loop =
          LoopThread.start(
              "manager",
              files,
              (network, timers) -> {
                network.limitTo(config.access().bounds());
                network.believe(config.access().trust());
                network.bind(config.listen().host(), checked);
                if (authority != null && files != null) authority.start(files, network::wakeUp);
                ManagerCore.LoopParts parts =
                    new ManagerCore.LoopParts(network, timers, Randomness.fresh());
                return open(config, parts, group, audit, authority);
              },
              ending);
    } catch (StartFailed | IOException | RuntimeException e) {
      audit.close();
      throw e;
    }
    this.address = loop.opened().address();
    if (authority != null) authority.listens(address);
    this.tls = files;
    this.metrics = openMetrics(config, files);
  }

  private @Nullable MetricsService openMetrics(Config config, @Nullable TlsFiles tls)
      throws StartFailed {
    String name = config.group() == null ? "manager" : config.group().name();
    registry.add(
        new LoopSource<>(
            List.of(
                new LoopSource.Asked<>(
                    name,
                    "manager",
                    () -> loop.ask(ManagerCore::figures),
                    (to, figures) -> ManagerMetrics.show(to, name, figures)))));
    if (tls != null) registry.add(new CertificateSource(name, tls));
    try {
      return Listening.metrics("manager", config.access(), tls, registry);
    } catch (StartFailed e) {
      loop.close();
      audit.close();
      throw e;
    }
  }

  private static ManagerGroup.@Nullable Opening group(Config config, @Nullable TlsFiles tls)
      throws StartFailed {
    GroupOptions options = config.group();
    if (options == null) return null;
    try {
      return ManagerGroup.prepare(
          new ManagerGroup.Start(
              config.directory(), config.listen(), options, config.gathering().granuleBytes()),
          tls,
          tls == null ? null : ManagerTls.of(tls),
          Randomness.fresh());
    } catch (IOException e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
  }

  /** On the loop's thread. */
  private ManagerCore open(
      Config config,
      ManagerCore.LoopParts loop,
      ManagerGroup.@Nullable Opening group,
      AuditLog audit,
      @Nullable ManagerAuthority authority)
      throws StartFailed, IOException {
    Runnable wakeUp = loop.network()::wakeUp;
    try {
      if (group == null) {
        OwnerOnly.createDirectories(config.directory());
        Agreement log = OwnLog.open(config.directory(), loop.random(), loop.timers(), wakeUp);
        return ManagerCore.open(config, loop, log, audit, authority);
      }
      ManagerGroup opened =
          group.open(new ConsensusProvider.Environment(loop.timers(), wakeUp, ending::stopped));
      Address.Inet chosen = (Address.Inet) Address.parse(opened.self().clientAddress());
      return ManagerCore.open(config.at(chosen), loop, opened, audit, authority);
    } catch (IOException e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
  }

  /** Starts a manager, which listens from then on. */
  public static ManagerProcess start(Config config) throws StartFailed, IOException {
    return start(config, FailStop.NONE);
  }

  /** The same, in a process of its own or in another program's. */
  public static ManagerProcess start(Config given, FailStop failStop)
      throws StartFailed, IOException {
    requireSameKind(given);
    ManagerAuthority authority = authority(given);
    Config config =
        authority == null ? given : given.with(given.access().with(authority.settings()));
    try {
      InetAddress checked = ListenGuard.check(config.listen(), config.access());
      if (config.group() != null) checkGroup(config, config.group());
      if (config.access().munge().on()) checkMunge(config.access());
      return new ManagerProcess(config, checked, failStop, authority);
    } catch (StartFailed | IOException | RuntimeException e) {
      if (authority != null) authority.close();
      throw e;
    }
  }

  /** The log of a manager that was alone is stale once there are several. */
  private static void requireSameKind(Config config) throws StartFailed {
    if (config.group() != null || !ManagerGroup.exists(config.directory())) return;
    throw new StartFailed(
        "'%s' belongs to one of several managers; start it with the --peer-listen that it had"
            .formatted(config.directory()));
  }

  private static void checkGroup(Config config, GroupOptions group) throws StartFailed {
    ListenGuard.requireDialable(config.listen());
    ListenGuard.requireDialable(group.listen());
    InetAddress _ = ListenGuard.check(group.listen(), config.access());
  }

  private static void checkMunge(Access access) throws StartFailed {
    if (access.tls() == null) {
      throw new StartFailed(
          "munge needs TLS; listen beyond this machine, or set own-ca or tls-certificate");
    }
    if (!Munge.isInstalled()) {
      throw new StartFailed(
          "munge is set, and this machine has no libmunge.so.2; install MUNGE, or remove munge");
    }
    try {
      new Munge(access.munge().socket()).probe();
    } catch (Munge.Refused e) {
      LOG.warn("users cannot prove themselves by MUNGE yet: {}", e.sentence());
    }
  }

  /**
   * The cluster's own CA: beyond this machine there is one unless the operator decided otherwise,
   * and once there is one it stays.
   */
  private static @Nullable ManagerAuthority authority(Config config) throws StartFailed {
    if (!config.access().mayEnrol()) return null;
    boolean wanted =
        config.access().authority().own()
            || !ListenGuard.isLoopback(config.listen())
            || ManagerAuthority.exists(config.directory());
    GroupOptions group = config.group();
    JoinToken token = config.access().authority().token();
    boolean joins = ManagerGroup.joins(config.directory(), group);
    try {
      if (group != null && token != null) {
        OwnerOnly.createDirectories(config.directory());
        return ManagerAuthority.join(
            config.directory(),
            config.listen(),
            config.access().authority().lifetime(),
            token,
            group.managers());
      }
      if (!wanted) return null;
      if (joins && !ManagerAuthority.exists(config.directory())) {
        throw new StartFailed(
            "a further manager of a cluster with a CA needs a token; give it the --token that 'forebay token create --role manager' prints for one of its managers");
      }
      OwnerOnly.createDirectories(config.directory());
      return ManagerAuthority.open(
          config.directory(), config.listen(), config.access().authority().lifetime());
    } catch (IOException e) {
      throw new StartFailed("the cluster's CA cannot be used: " + e.getMessage(), e);
    }
  }

  /** The address; a port that was given as 0 has been chosen. */
  public Address.Inet address() {
    return address;
  }

  /** Its certificates; null if it has none. */
  @Nullable TlsFiles tls() {
    return tls;
  }

  /** What it tells monitoring systems. */
  Source metrics() {
    return registry::collect;
  }

  /** Where monitoring systems read its metrics; null for nowhere. */
  public @Nullable String metricsUrl() {
    return metrics == null ? null : metrics.url();
  }

  @Override
  public @Nullable String failure() {
    return ending.reason();
  }

  /**
   * Waits until it is closed or has failed.
   *
   * @return a sentence about what failed, or null
   */
  public @Nullable String await() throws InterruptedException {
    return ending.await();
  }

  /** Stops it and waits until its log is closed. */
  @Override
  public void close() {
    if (metrics != null) metrics.close();
    loop.close();
    audit.close();
    if (authority != null) authority.close();
    ending.closed();
  }
}
