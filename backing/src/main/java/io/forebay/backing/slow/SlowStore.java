package io.forebay.backing.slow;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingStore;
import io.forebay.backing.WrappedStore;

/**
 * A store as slow as the slow profile: 0.5 ms per call + 200 MB/s for the whole store. Any thread.
 */
public final class SlowStore extends WrappedStore {
  /** Printed wherever the profile is used. */
  public static final String LABEL = "slow profile: 0.5 ms per call + 200 MB/s for the whole store";

  private final SlowDevice device;

  SlowStore(BackingStore inner, SlowDevice device) {
    super(inner);
    this.device = device;
  }

  @Override
  public String description() {
    return "%s (%s)".formatted(inner.description(), LABEL);
  }

  @Override
  protected <T> T call(long bytes, Backing.Operation<T> operation) throws BackingException {
    long endNanos = device.begin(bytes);
    try {
      return operation.on(inner);
    } finally {
      device.awaitEnd(endNanos);
    }
  }

  @Override
  public void close() {
    super.close();
    device.close();
  }
}
