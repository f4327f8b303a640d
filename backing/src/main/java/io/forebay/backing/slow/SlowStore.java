package io.forebay.backing.slow;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingStore;
import io.forebay.backing.WrappedStore;
import io.forebay.base.MonotonicClock;
import java.util.concurrent.locks.LockSupport;

/**
 * A store as slow as the slow profile: 0.5 ms per call + 200 MB/s for the whole store. A call that
 * was quicker waits for the rest of its time; one that was slower does not. Any thread.
 */
public final class SlowStore extends WrappedStore {
  /** Printed wherever the profile is used. */
  public static final String LABEL = "slow profile: 0.5 ms per call + 200 MB/s for the whole store";

  private final SlowPace.Busy busy;
  private final SlowPace pace;
  private final MonotonicClock clock;

  SlowStore(BackingStore inner, SlowPace.Busy busy, MonotonicClock clock) {
    super(inner);
    this.busy = busy;
    this.pace = new SlowPace(busy, clock);
    this.clock = clock;
  }

  @Override
  public String description() {
    return "%s (%s)".formatted(inner.description(), LABEL);
  }

  @Override
  protected <T> T call(long bytes, Backing.Operation<T> operation) throws BackingException {
    long endNanos = pace.endNanos(bytes);
    try {
      return operation.on(inner);
    } finally {
      awaitUntil(endNanos);
    }
  }

  @Override
  public void close() {
    super.close();
    busy.close();
  }

  private void awaitUntil(long endNanos) {
    for (long left = endNanos - clock.nanos(); left > 0; left = endNanos - clock.nanos()) {
      // An interrupted thread cannot sleep; the call has been made, so it need not.
      if (Thread.currentThread().isInterrupted()) return;
      LockSupport.parkNanos(this, left);
    }
  }
}
