// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.seat.audit.AuditEvent;
import io.forebay.seat.audit.AuditEvents;
import io.forebay.seat.consensus.BrokenLog;
import io.forebay.seat.consensus.LogConsensus;
import io.forebay.seat.manager.Manager;
import io.forebay.seat.manager.access.Admission;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.machine.Randomness;
import io.forebay.server.machine.WallTime;
import io.forebay.server.proof.UserServices;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.Network;
import io.forebay.wire.tcp.TcpLoop;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The manager with its log, driven by its {@link LoopThread}. */
final class ManagerCore implements LoopThread.Core {
  /** Large enough for the map of a large ring in one record, a quarter of a segment. */
  private static final int SEGMENT_BYTES = 4 * 1024 * 1024;

  private static final long LOG_BYTES = 16L * SEGMENT_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(ManagerCore.class);

  private record LoggedEvents(AuditEvents audit) implements ManagerEvents {
    @Override
    public void told(String sentence) {
      LOG.info("{}", sentence);
    }

    @Override
    public void warned(String sentence) {
      LOG.warn("{}", sentence);
    }

    @Override
    public void audited(AuditEvent event) {
      audit.audited(event);
    }
  }

  private final LogDirectory log;
  private final LogConsensus consensus;
  private final Network.Listener listener;
  private final @Nullable ManagerAuthority authority;
  private final UserServices users;

  private ManagerCore(
      LogDirectory log,
      LogConsensus consensus,
      Network.Listener listener,
      @Nullable ManagerAuthority authority,
      UserServices users) {
    this.authority = authority;
    this.users = users;
    this.log = log;
    this.consensus = consensus;
    this.listener = listener;
  }

  /**
   * Opens the log and listens.
   *
   * @param authority the cluster's own CA; null for none
   */
  static ManagerCore open(
      ManagerProcess.Config config,
      TcpLoop network,
      Timers timers,
      AuditEvents audit,
      @Nullable ManagerAuthority authority)
      throws StartFailed, IOException {
    RandomGenerator random = Randomness.fresh();
    OwnerOnly.createDirectories(config.directory());
    LogDirectory log = openLog(config, random, network);
    UserServices users = UserServices.start(config.access().munge(), network::wakeUp);
    try {
      LogConsensus consensus = LogConsensus.open(log.store(), timers);
      if (consensus.entriesCut() > 0) {
        LOG.warn(
            "{}: {} entries behind a gap were cut off, which were never acknowledged",
            config.directory(),
            consensus.entriesCut());
      }
      Manager manager =
          new Manager(
              config.gathering(),
              new Manager.Environment(timers, network, consensus, random, new LoggedEvents(audit)),
              WallTime::nanos,
              new Admission(
                  config.access().trust(),
                  new SecureRandom(),
                  authority == null ? Signer.NONE : authority,
                  users.directory(),
                  users.credentials()));
      Network.Listener listener = Listening.at(config.listen(), manager::start);
      LOG.info("the manager listens at {}", listener.address());
      return new ManagerCore(log, consensus, listener, authority, users);
    } catch (BrokenLog e) {
      users.close();
      log.close();
      throw new StartFailed(
          "the manager's log in '"
              + config.directory()
              + "' is broken ("
              + e.getMessage()
              + "); restore it from a copy",
          e);
    } catch (StartFailed | RuntimeException e) {
      users.close();
      log.close();
      throw e;
    }
  }

  private static LogDirectory openLog(
      ManagerProcess.Config config, RandomGenerator random, TcpLoop network)
      throws StartFailed, IOException {
    try {
      return LogDirectory.open(
          LogDirectory.Options.create(
              config.directory(), StoreConfig.ssd(SEGMENT_BYTES, LOG_BYTES)),
          MonotonicClock.system(),
          random,
          StoreEvents.NONE,
          network::wakeUp);
    } catch (LogUnavailable e) {
      throw new StartFailed(e.sentence(), e);
    }
  }

  Address.Inet address() {
    return (Address.Inet) listener.address();
  }

  @Override
  public boolean poll() {
    boolean signed = authority != null && authority.poll();
    boolean found = users.poll();
    return consensus.poll() || signed || found;
  }

  @Override
  public void close() throws IOException {
    try (log;
        users) {
      listener.close();
    }
  }
}
