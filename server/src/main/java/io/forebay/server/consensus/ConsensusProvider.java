// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.seat.consensus.ConsensusGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Opens nodes of groups of managers; found by {@link ConsensusProviders}. Any thread. */
public interface ConsensusProvider {
  /** Told that a node has stopped for good, such as by a full disk, and why; on the loop. */
  interface Stopped {
    void stopped(String reason);
  }

  /**
   * What a node gets from its owner.
   *
   * @param timers those of the loop
   * @param wakeUp makes the loop call {@link ConsensusGroup#poll} soon; from any thread
   */
  record Environment(Timers timers, Runnable wakeUp, Stopped stopped) {}

  /**
   * Makes an empty directory a group of one node; {@link #open} then opens it. After a crash
   * within, it can be called again.
   *
   * @param state what the group's machine begins with, as its snapshot; null for nothing
   */
  void found(GroupConfig config, @Nullable Bytes state) throws IOException;

  /** The group to which a directory belongs; null for none. */
  @Nullable UUID cluster(Path directory) throws IOException;

  /**
   * Opens a node. Ports that are given as 0 are chosen at the first opening, and kept. One with an
   * empty directory waits until a leader adds it to a group: it neither votes nor leads before.
   * Blocks while it reads the directory.
   */
  ConsensusGroup open(GroupConfig config, Environment environment) throws IOException;
}
