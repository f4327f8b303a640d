// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.slow;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingStore;
import io.forebay.backing.WrappedStore;

/**
 * A store as slow as the slow profile: 0.5 ms per call + 200 MB/s for the whole store, or the rate
 * that its address names. Any thread.
 */
public final class SlowStore extends WrappedStore {
  /** Printed wherever the profile is used. */
  public static final String LABEL = label("200 MB/s");

  private final SlowDevice device;
  private final String label;

  SlowStore(BackingStore inner, SlowDevice device, String label) {
    super(inner);
    this.device = device;
    this.label = label;
  }

  static String label(String rate) {
    return "slow profile: 0.5 ms per call + " + rate + " for the whole store";
  }

  @Override
  public String description() {
    return "%s (%s)".formatted(inner.description(), label);
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
