// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import java.util.random.RandomGenerator;

/** Names one seat's log, so that segments of another log are recognized as foreign. */
public record LogId(long high, long low) {
  static final int BYTES = 2 * Long.BYTES;

  public static LogId random(RandomGenerator random) {
    return new LogId(random.nextLong(), random.nextLong());
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
