// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.wire.Address;
import org.jspecify.annotations.Nullable;

/** A node of a {@link SimulatedGroup}, with one process after the other. */
interface GroupNode {
  String host();

  Address address();

  /** Whether its process lives and is not paused. */
  boolean isRunning();

  /** The part of its running process in the group; null without a process. */
  @Nullable SimulatedConsensus agreement();
}
