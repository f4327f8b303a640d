// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

import java.time.Instant;

/**
 * The attributes of a node, for the kernel.
 *
 * @param mode with the bits of its kind
 * @param allocatedBytes shown as blocks of 512
 * @param device the device number; 0 for all but devices
 */
public record NodeAttributes(
    long node,
    int mode,
    int links,
    int user,
    int group,
    long sizeBytes,
    long allocatedBytes,
    Instant accessTime,
    Instant modifyTime,
    Instant changeTime,
    long device) {
  public static final int KIND = 0170000;
  public static final int DIRECTORY = 0040000;
  public static final int FILE = 0100000;
  public static final int SYMLINK = 0120000;
  public static final int FIFO = 0010000;
  public static final int SOCKET = 0140000;
  public static final int CHARACTER_DEVICE = 0020000;
  public static final int BLOCK_DEVICE = 0060000;

  public boolean isDirectory() {
    return (mode & KIND) == DIRECTORY;
  }
}
