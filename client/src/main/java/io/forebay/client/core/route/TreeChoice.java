// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.ring.Instance;
import io.forebay.ring.access.TreeNames;
import io.forebay.wire.message.ErrorCode;

/**
 * Which tree of its instance a client attaches to.
 *
 * @param node the node whose tree it is, where trees belong to nodes; empty for the client's host
 */
public record TreeChoice(Kind kind, String node) {
  /** Kinds of trees. */
  public enum Kind {
    /** The tree of all clients, or with private access that of the node. */
    USUAL,
    /** The tree of the node. */
    PRIVATE,
    /** The tree that has the notes of stages. */
    STAGES
  }

  /** The usual tree, for a client that is a node by itself. */
  public static final TreeChoice USUAL = new TreeChoice(Kind.USUAL, "");

  public TreeChoice {
    TreeNames.requireNode(node);
  }

  public TreeChoice withKind(Kind other) {
    return new TreeChoice(other, node);
  }

  /** The node whose tree it is, for a client on a host. */
  public String nodeOr(String host) {
    return node.isEmpty() ? host : node;
  }

  /** Whether the tree of an instance belongs to one node. */
  public boolean isOfNode(Instance instance) {
    return kind == Kind.PRIVATE || !instance.hasSharedTree();
  }

  /**
   * The name of the tree, for a client on a host.
   *
   * @throws RequestFailed if the instance has no such tree
   */
  String nameFor(Instance instance, String host) throws RequestFailed {
    return switch (kind) {
      case USUAL -> nodeOr(host);
      case PRIVATE -> {
        if (!instance.hasPrivateTrees()) throw noPrivateTrees(instance);
        yield TreeNames.ofPrivate(instance, nodeOr(host));
      }
      case STAGES -> TreeNames.ofStages(instance, nodeOr(host));
    };
  }

  private static RequestFailed noPrivateTrees(Instance instance) {
    return new RequestFailed(
        ErrorCode.INVALID,
        "instance '%s' has shared access, so that no node has a private tree; make one with '--access both' or '--access private'"
            .formatted(instance.name()));
  }
}
