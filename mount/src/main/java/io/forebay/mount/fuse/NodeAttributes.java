package io.forebay.mount.fuse;

import java.time.Instant;

/**
 * What the kernel is told of a node.
 *
 * @param mode with the bits of its kind
 * @param allocatedBytes shown as blocks of 512
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
    Instant changeTime) {
  public static final int KIND = 0170000;
  public static final int DIRECTORY = 0040000;
  public static final int FILE = 0100000;
  public static final int SYMLINK = 0120000;

  public boolean isDirectory() {
    return (mode & KIND) == DIRECTORY;
  }
}
