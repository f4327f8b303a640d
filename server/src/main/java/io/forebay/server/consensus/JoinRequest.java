// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.client.enrol.ManagersAdmin;
import io.forebay.seat.consensus.ConsensusGroup;
import io.forebay.seat.consensus.Peer;
import io.forebay.wire.Address;
import io.forebay.wire.message.Maps;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the managers of a cluster to take this one, in a thread of its own, until they have. Any
 * thread may start and close it.
 */
final class JoinRequest implements AutoCloseable {
  private static final long PAUSE_SECONDS = 1;
  private static final Logger LOG = LoggerFactory.getLogger(JoinRequest.class);

  private final List<Address> managers;
  private final @Nullable TlsFiles tls;
  private final ConsensusGroup group;
  private final Thread thread;
  private volatile @Nullable ManagersAdmin line;
  private volatile boolean closed;
  private String told = "";

  JoinRequest(List<Address> managers, @Nullable TlsFiles tls, ConsensusGroup group) {
    this.managers = managers;
    this.tls = tls;
    this.group = group;
    this.thread = Thread.ofPlatform().daemon().name("join-managers").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    Peer self = group.self();
    Maps.AddManager request =
        new Maps.AddManager(self.name(), self.incarnation(), self.address(), self.clientAddress());
    while (!closed) {
      try (ManagersAdmin asked = ManagersAdmin.of(managers, tls)) {
        line = asked;
        asked.add(request);
        LOG.info("manager {} is one of the managers of the cluster", self.name());
        return;
      } catch (IOException e) {
        tell("manager %s is not one of them yet: %s".formatted(self.name(), e.getMessage()));
      }
      if (!pause()) return;
    }
  }

  private void tell(String sentence) {
    if (closed || sentence.equals(told)) return;
    told = sentence;
    LOG.warn("{}; it asks again", sentence);
  }

  private static boolean pause() {
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    ManagersAdmin asked = line;
    if (asked != null) asked.stop();
    thread.interrupt();
  }
}
