// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.Nodes;
import io.forebay.client.file.FileStat;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.List;

/**
 * The rights with which a mount does what the kernel adds to the requests of programs: those of
 * root, or of the owner of the node for a mount that servers do not take for root. Any thread.
 */
final class KernelRights {
  private final Nodes own;
  private final boolean asRoot;

  /**
   * Of a mount.
   *
   * @param own acts as the user of the mount itself
   * @param user that user
   */
  KernelRights(Nodes own, Identity user) {
    this.own = own;
    this.asRoot = user.isRoot();
  }

  /** With the rights to a node. */
  Nodes to(long node) throws IOException {
    if (asRoot) return own;
    FileStat stat = own.stat(node);
    return own.as(new Identity(stat.user(), List.of(stat.group())));
  }

  /** With the rights of the mount itself. */
  Nodes own() {
    return own;
  }
}
