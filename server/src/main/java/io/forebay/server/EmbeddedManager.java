// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.metrics.Samples;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.consensus.GroupOptions;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A manager of an embedded cluster, which can be stopped and started again, with its state and at
 * its address. One thread.
 */
public final class EmbeddedManager {
  private final Path directory;
  private final Access access;
  private final ManagerConfig config;
  private final Supplier<@Nullable GroupOptions> group;
  private Address.Inet address;
  private volatile @Nullable ManagerProcess process;

  /**
   * One that has not begun; at port 0 it takes a free one when it is started first.
   *
   * @param group how it is one of several, when it starts; null for a manager that is alone
   */
  EmbeddedManager(
      Path directory,
      Address.Inet listen,
      Access access,
      ManagerConfig config,
      Supplier<@Nullable GroupOptions> group) {
    this.directory = directory;
    this.address = listen;
    this.access = access;
    this.config = config;
    this.group = group;
  }

  /** Starts it, with the state that it has left. */
  public void start() throws StartFailed, IOException {
    if (process != null) throw new IllegalStateException("the manager runs already");
    ManagerProcess started =
        ManagerProcess.start(
            new ManagerProcess.Config(
                directory, address, access, config, AuditFiles.in(directory), group.get()));
    process = started;
    address = started.address();
  }

  /** Its address, also while it is stopped. */
  public Address.Inet address() {
    return address;
  }

  /** Its directory. */
  public Path directory() {
    return directory;
  }

  /** Adds what it tells monitoring systems, while it runs. */
  void collect(Samples to) {
    ManagerProcess running = process;
    if (running != null) running.metrics().collect(to);
  }

  /** Its certificates, while it runs; null if it has none. */
  @Nullable TlsFiles tls() {
    ManagerProcess running = process;
    return running == null ? null : running.tls();
  }

  @Nullable String failure() {
    return process == null ? null : process.failure();
  }

  /** Stops it cleanly, if it runs. */
  public void stop() {
    ManagerProcess running = process;
    process = null;
    if (running != null) running.close();
  }
}
