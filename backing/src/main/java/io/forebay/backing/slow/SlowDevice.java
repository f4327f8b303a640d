// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.slow;

import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device of the slow profile, by its name: all processes of this host that use the name share
 * its rate. A call that was faster waits for the rest of its time; a slower one does not wait. Any
 * thread.
 */
public final class SlowDevice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowDevice.class);

  private final SlowPace.Busy busy;
  private final SlowPace pace;
  private final MonotonicClock clock;

  private SlowDevice(SlowPace.Busy busy, long bytesPerSecond, MonotonicClock clock) {
    this.busy = busy;
    this.pace = new SlowPace(busy, bytesPerSecond, clock);
    this.clock = clock;
  }

  /**
   * The device behind a store.
   *
   * @param store the store's description
   */
  public static SlowDevice of(String store) {
    return of(store, SlowPace.BYTES_PER_SECOND);
  }

  /** The same with another rate than the profile's. */
  static SlowDevice of(String store, long bytesPerSecond) {
    UUID name = UUID.nameUUIDFromBytes(store.getBytes(StandardCharsets.UTF_8));
    String user = System.getProperty("user.name", "nobody");
    Path file =
        Path.of(System.getProperty("java.io.tmpdir"), "forebay-slow-" + user, name.toString());
    return new SlowDevice(busy(file), bytesPerSecond, MonotonicClock.system());
  }

  private static SlowPace.Busy busy(Path file) {
    try {
      return new SharedBusy(file);
    } catch (IOException unusable) {
      LOG.warn("{} cannot be used; the slow profile is for each process by itself", file, unusable);
      return new OwnBusy();
    }
  }

  /**
   * Occupies the device for a call that moves this number of bytes, and returns the time at which
   * the call ends.
   */
  public long begin(long bytes) {
    return pace.endNanos(bytes);
  }

  /** Waits for the end of a call that has begun. */
  public void awaitEnd(long endNanos) {
    for (long left = endNanos - clock.nanos(); left > 0; left = endNanos - clock.nanos()) {
      // An interrupted thread cannot sleep; the call has been made, so it need not.
      if (Thread.currentThread().isInterrupted()) return;
      LockSupport.parkNanos(this, left);
    }
  }

  @Override
  public void close() {
    busy.close();
  }

  /** For one process. */
  static final class OwnBusy implements SlowPace.Busy {
    private final AtomicLong until = new AtomicLong();

    @Override
    public long untilNanos() {
      return until.get();
    }

    @Override
    public boolean change(long expectedNanos, long untilNanos) {
      return until.compareAndSet(expectedNanos, untilNanos);
    }

    @Override
    public void close() {}
  }
}
