// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.namespace.tree.state.TreeState;

/**
 * The bytes and files of an instance's trees in one group.
 *
 * @param heldBytes what files hold now
 * @param heldBytesMax the sum of the most that each tree has held
 * @param filesCreated files that were created, deleted ones included
 */
public record InstanceFill(long heldBytes, long heldBytesMax, long filesCreated) {
  static final InstanceFill NONE = new InstanceFill(0, 0, 0);

  InstanceFill and(TreeState tree) {
    return new InstanceFill(
        heldBytes + tree.room.usedBytes(),
        heldBytesMax + tree.room.usedBytesMax(),
        filesCreated + tree.limits.filesCreated());
  }
}
