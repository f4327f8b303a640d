// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.io.EOFException;

/** The argument checks that all disks share. Stateless; any thread. */
final class Requests {
  /** The largest file that can be mapped, and the largest that a disk in memory can hold. */
  static final int MAPPED_BYTES_MAX = 1 << 30;

  private static final int NAME_CHARS_MAX = 255;

  private Requests() {}

  /**
   * A name that could leave the directory is broken code, so it throws instead of being answered.
   */
  static void requirePlainName(String name) {
    boolean plain =
        !name.isEmpty()
            && name.length() <= NAME_CHARS_MAX
            && !name.equals(".")
            && !name.equals("..")
            && name.chars().noneMatch(c -> c == '/' || c == '\\' || c == 0);
    if (!plain) throw new IllegalArgumentException("not a plain file name: '" + name + "'");
  }

  static void requireSize(String name, long bytes) {
    if (bytes < 0) throw new IllegalArgumentException(name + ": negative size " + bytes);
  }

  static void requireScan(long from, long to, int chunkBytes) {
    if (from < 0 || to < from)
      throw new IllegalArgumentException("scan from " + from + " to " + to);
    if (chunkBytes <= 0) throw new IllegalArgumentException("scan by " + chunkBytes + " bytes");
  }

  static void requireInside(String name, long position, long bytes, long fileBytes)
      throws EOFException {
    if (position < 0 || bytes > fileBytes - position) {
      throw new EOFException(
          name + ": " + bytes + " bytes at " + position + " are outside its " + fileBytes);
    }
  }
}
