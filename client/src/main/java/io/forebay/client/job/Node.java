// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.job;

import io.forebay.wire.message.Jobs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A node on which jobs run, as its agent last reported it.
 *
 * @param silent how long ago that was; empty if the manager has had no report since it started
 */
public record Node(String name, Optional<Duration> silent, List<NodeMount> mounts) {
  /** An agent reports every second; one that is silent for longer than this is taken for dead. */
  private static final Duration SILENT_MAX = Duration.ofSeconds(10);

  public Node {
    mounts = List.copyOf(mounts);
  }

  /** Whether its agent runs, as far as the manager knows. */
  public boolean isHeard() {
    return silent.isPresent() && silent.get().compareTo(SILENT_MAX) < 0;
  }

  /** From the manager's answer. */
  public static Node of(Jobs.Node node) {
    return new Node(
        node.name(),
        node.silentMillis() < 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(node.silentMillis())),
        node.mounts().stream().map(NodeMount::of).toList());
  }
}
