// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.ring.Instance;
import io.forebay.ring.access.TreeNames;
import io.forebay.wire.message.ErrorCode;

/** Which tree of its instance a client attaches to. */
public enum TreeChoice {
  /** The tree of all clients, or with private access that of the client's node. */
  USUAL,
  /** The tree of the client's node. */
  PRIVATE,
  /** The tree that has the notes of stages. */
  STAGES;

  /** Whether the tree of an instance belongs to one node. */
  public boolean isOfNode(Instance instance) {
    return this == PRIVATE || !instance.hasSharedTree();
  }

  /**
   * The name of the tree, for a client on a node.
   *
   * @throws RequestFailed if the instance has no such tree
   */
  String nameFor(Instance instance, String node) throws RequestFailed {
    return switch (this) {
      case USUAL -> node;
      case PRIVATE -> {
        if (!instance.hasPrivateTrees()) throw noPrivateTrees(instance);
        yield TreeNames.ofPrivate(instance, node);
      }
      case STAGES -> TreeNames.ofStages(instance, node);
    };
  }

  private static RequestFailed noPrivateTrees(Instance instance) {
    return new RequestFailed(
        ErrorCode.INVALID,
        "instance '%s' has shared access, so that no node has a private tree; make one with '--access both' or '--access private'"
            .formatted(instance.name()));
  }
}
