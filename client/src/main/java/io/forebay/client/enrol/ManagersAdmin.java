// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process that is going to be a manager asks the managers of its cluster. One thread; any
 * may {@link #stop} it.
 */
public final class ManagersAdmin implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MonotonicClock clock = MonotonicClock.system();
  private final ManagerLine line;

  private ManagersAdmin(ManagerLine line) {
    this.line = line;
  }

  /**
   * Connects with the first question.
   *
   * @param tls the certificates of the process; null for connections without TLS
   */
  public static ManagersAdmin of(List<Address> managers, @Nullable TlsFiles tls)
      throws IOException {
    return new ManagersAdmin(new ManagerLine(managers, tls));
  }

  /** The number of their cluster; managers that do not answer are asked again for a minute. */
  public long cluster() throws IOException {
    long startNanos = clock.nanos();
    while (true) {
      try {
        return line.cluster();
      } catch (IOException e) {
        if (clock.nanos() - startNanos > PATIENCE.toNanos()) throw e;
        line.pause();
      }
    }
  }

  /** Has a manager added to the others; returns once it is one of them. */
  public void add(Maps.AddManager manager) throws IOException {
    line.ask(manager, Replies.Done.class);
  }

  /** Lets a question that waits fail soon. Any thread. */
  public void stop() {
    line.stop();
  }

  @Override
  public void close() {
    line.close();
  }
}
