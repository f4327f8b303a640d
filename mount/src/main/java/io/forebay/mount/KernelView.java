// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.FileStat;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.NodeEntry;
import io.forebay.wire.message.Names;
import org.jspecify.annotations.Nullable;

/**
 * Nodes as the kernel sees them. Numbers are the same on both sides except for the root: the
 * kernel's is 1, ours includes the tree's number, or is that of a directory.
 *
 * @param root our number of the mount's root
 * @param seconds how long the kernel may cache names and attributes
 */
record KernelView(long root, double seconds) {
  /** Our number of a node of the kernel. */
  long ours(long node) {
    return node == FuseOperations.ROOT ? root : node;
  }

  /** The kernel's number of a node of ours. */
  long kernels(long number) {
    return number == root ? FuseOperations.ROOT : number;
  }

  NodeAttributes told(FileStat stat) {
    int kind =
        switch (stat.kind()) {
          case FILE -> NodeAttributes.FILE;
          case DIRECTORY -> NodeAttributes.DIRECTORY;
          case SYMLINK -> NodeAttributes.SYMLINK;
          case FIFO -> NodeAttributes.FIFO;
          case SOCKET -> NodeAttributes.SOCKET;
          case CHARACTER_DEVICE -> NodeAttributes.CHARACTER_DEVICE;
          case BLOCK_DEVICE -> NodeAttributes.BLOCK_DEVICE;
        };
    return new NodeAttributes(
        kernels(stat.number()),
        kind | stat.mode(),
        stat.links(),
        stat.user(),
        stat.group(),
        stat.sizeBytes(),
        stat.allocatedBytes(),
        stat.accessTime(),
        stat.modifyTime(),
        stat.changeTime(),
        stat.device());
  }

  /** Which special file a mode of mknod(2) asks for; null for a regular one. */
  static FileStat.@Nullable Kind specialKind(int mode) throws ErrnoException {
    return switch (mode & NodeAttributes.KIND) {
      case 0, NodeAttributes.FILE -> null;
      case NodeAttributes.FIFO -> FileStat.Kind.FIFO;
      case NodeAttributes.SOCKET -> FileStat.Kind.SOCKET;
      case NodeAttributes.CHARACTER_DEVICE -> FileStat.Kind.CHARACTER_DEVICE;
      case NodeAttributes.BLOCK_DEVICE -> FileStat.Kind.BLOCK_DEVICE;
      default -> throw new ErrnoException(Errno.EINVAL);
    };
  }

  NodeEntry entry(FileStat stat) {
    return new NodeEntry(told(stat), seconds, seconds);
  }

  /** The kernel's change of attributes. */
  static AttributeChange change(AttributeSetting what) {
    AttributeChange change = new AttributeChange().noFollow();
    Integer mode = what.mode();
    if (mode != null) change.mode(mode & FileStat.MODE_BITS);
    if (what.user() != null || what.group() != null) {
      change.owner(orUnchanged(what.user()), orUnchanged(what.group()));
    }
    Long size = what.sizeBytes();
    if (size != null) change.sizeBytes(size);
    times(change, what);
    return change;
  }

  private static int orUnchanged(@Nullable Integer value) {
    return value == null ? (int) Names.UNCHANGED : value;
  }

  private static void times(AttributeChange change, AttributeSetting what) {
    AttributeSetting.Time access = what.accessTime();
    AttributeSetting.Time modify = what.modifyTime();
    change.times(
        access == null ? null : access.instant(), modify == null ? null : modify.instant());
    if (access != null && access.instant() == null) change.touchAccess();
    if (modify != null && modify.instant() == null) change.touch();
  }
}
