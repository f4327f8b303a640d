// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import org.jspecify.annotations.Nullable;

/** A component that runs in this process until it is closed. */
public interface LocalProcess extends AutoCloseable {
  /** The internal failure, as a sentence; null if there is none. */
  @Nullable String failure();

  /** Whether its work is done, so that it should be closed. */
  default boolean over() {
    return false;
  }

  /** Ends it, and waits until it has ended. */
  @Override
  void close();
}
