// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import org.jspecify.annotations.Nullable;

/** Something that runs in this process until it is closed. */
public interface LocalProcess extends AutoCloseable {
  /** What has failed inside, as a sentence; null while all is well. */
  @Nullable String failure();

  /** Whether it has done what it was there for, so that it should be closed. */
  default boolean over() {
    return false;
  }

  /** Ends it, and waits until it has ended. */
  @Override
  void close();
}
