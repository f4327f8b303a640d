// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.audit.AuditLog;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.machine.FailStop;
import io.forebay.server.proof.Munge;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
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
   */
  public record Config(
      Path directory,
      Address.Inet listen,
      Access access,
      ManagerConfig gathering,
      AuditFiles audit) {
    public static Config from(Settings settings) throws BadSetting {
      return new Config(
          settings.get(Keys.DIR),
          settings.get(Keys.MANAGER_LISTEN),
          Access.ofManager(settings),
          new ManagerConfig(
              settings.get(Keys.EXPECT),
              settings.get(Keys.WAIT).toNanos(),
              settings.get(Keys.MANAGER_COPIES),
              settings.get(Keys.GONE_AFTER).toNanos(),
              ManagerConfig.QUIET_NANOS_DEFAULT,
              settings.get(Keys.GRANULARITY)),
          AuditFiles.from(settings));
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(ManagerProcess.class);

  private final Ending ending;
  private final AuditLog audit;
  private final LoopThread<ManagerCore> loop;
  private final Address.Inet address;
  private final @Nullable ManagerAuthority authority;

  private ManagerProcess(
      Config config, InetAddress checked, FailStop failStop, @Nullable ManagerAuthority authority)
      throws StartFailed, IOException {
    this.authority = authority;
    this.ending = new Ending(failStop);
    this.audit = AuditLog.start("manager", config.audit(), InstantSource.system());
    try {
      TlsFiles tls = config.access().open();
      this.loop =
          LoopThread.start(
              "manager",
              tls,
              (network, timers) -> {
                network.limitTo(config.access().bounds());
                network.believe(config.access().trust());
                network.bind(config.listen().host(), checked);
                if (authority != null && tls != null) authority.start(tls, network::wakeUp);
                return ManagerCore.open(config, network, timers, audit, authority);
              },
              ending);
    } catch (StartFailed | IOException | RuntimeException e) {
      audit.close();
      throw e;
    }
    this.address = loop.opened().address();
    if (authority != null) authority.listens(address);
  }

  /** Starts a manager, which listens from then on. */
  public static ManagerProcess start(Config config) throws StartFailed, IOException {
    return start(config, FailStop.NONE);
  }

  /** The same, in a process of its own or in another program's. */
  public static ManagerProcess start(Config given, FailStop failStop)
      throws StartFailed, IOException {
    ManagerAuthority authority = authority(given);
    Config config =
        authority == null
            ? given
            : new Config(
                given.directory(),
                given.listen(),
                given.access().with(authority.settings()),
                given.gathering(),
                given.audit());
    try {
      InetAddress checked = ListenGuard.check(config.listen(), config.access());
      if (config.access().munge().on()) checkMunge(config.access());
      return new ManagerProcess(config, checked, failStop, authority);
    } catch (StartFailed | IOException | RuntimeException e) {
      if (authority != null) authority.close();
      throw e;
    }
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
    if (!wanted) return null;
    try {
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
    loop.close();
    audit.close();
    if (authority != null) authority.close();
    ending.closed();
  }
}
