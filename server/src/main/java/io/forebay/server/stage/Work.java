// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageNote;
import org.jspecify.annotations.Nullable;

/**
 * A part of a stage that one server does: some files, or a range of a file. Either {@link #run},
 * {@link #done} or {@link #lost} is called in the end. Any thread.
 */
interface Work {
  /** The same for another server, or null if only this server can do it. */
  StageNote.@Nullable Task task();

  /** Whether it takes longer than it takes to call another server. */
  default boolean isLong() {
    return false;
  }

  /**
   * Divides it, before it is begun: it keeps a part and returns the rest. Null if it is too small,
   * or cannot be divided.
   */
  default @Nullable Work split() {
    return null;
  }

  /** Does it here. */
  void run();

  /** Another server has done it, as far as it could. */
  void done(StageNote.Result result);

  /** The server that had it is gone. */
  void lost();
}
