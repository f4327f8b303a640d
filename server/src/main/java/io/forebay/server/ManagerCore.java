// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.Timers;
import io.forebay.seat.audit.AuditEvent;
import io.forebay.seat.audit.AuditEvents;
import io.forebay.seat.manager.Manager;
import io.forebay.seat.manager.access.Admission;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.consensus.Agreement;
import io.forebay.server.machine.WallTime;
import io.forebay.server.metrics.ManagerMetrics;
import io.forebay.server.proof.UserServices;
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

    @Override
    public long lost() {
      return audit.lost();
    }
  }

  private final Manager manager;
  private final Agreement agreement;
  private final Network.Listener listener;
  private final @Nullable ManagerAuthority authority;
  private final UserServices users;

  private ManagerCore(
      Manager manager,
      Agreement agreement,
      Network.Listener listener,
      @Nullable ManagerAuthority authority,
      UserServices users) {
    this.manager = manager;
    this.agreement = agreement;
    this.listener = listener;
    this.authority = authority;
    this.users = users;
  }

  /**
   * Listens.
   *
   * @param agreement closed by this core, and if it cannot be opened
   * @param authority the cluster's own CA; null for none
   */
  static ManagerCore open(
      ManagerProcess.Config config,
      LoopParts loop,
      Agreement agreement,
      AuditEvents audit,
      @Nullable ManagerAuthority authority)
      throws StartFailed, IOException {
    TcpLoop network = loop.network();
    UserServices users = UserServices.start(config.access().munge(), network::wakeUp);
    try {
      Manager manager =
          new Manager(
              config.gathering(),
              new Manager.Environment(
                  loop.timers(),
                  network,
                  agreement.consensus(),
                  loop.random(),
                  new LoggedEvents(audit)),
              WallTime::nanos,
              new Admission(
                  config.access().trust(),
                  new SecureRandom(),
                  authority == null ? Signer.NONE : authority,
                  users.directory(),
                  users.credentials()));
      Network.Listener listener = Listening.at(config.listen(), manager::start);
      LOG.info("the manager listens at {}", listener.address());
      agreement.listening();
      return new ManagerCore(manager, agreement, listener, authority, users);
    } catch (StartFailed | RuntimeException e) {
      users.close();
      agreement.close();
      throw e;
    }
  }

  /** What a loop gives. */
  record LoopParts(TcpLoop network, Timers timers, RandomGenerator random) {}

  Address.Inet address() {
    return (Address.Inet) listener.address();
  }

  /** What it tells monitoring systems; on the loop's thread. */
  ManagerMetrics.Figures figures() {
    return new ManagerMetrics.Figures(manager.status(), manager.map());
  }

  @Override
  public boolean poll() {
    boolean signed = authority != null && authority.poll();
    boolean found = users.poll();
    return agreement.poll() || signed || found;
  }

  @Override
  public void close() throws IOException {
    try (agreement;
        users) {
      listener.close();
    }
  }
}
