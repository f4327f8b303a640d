// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

/** What the kernel asks for, as far as monitoring distinguishes it. */
public enum RequestKind {
  READ,
  WRITE,
  /** Closing, flushing and forcing: what publishes writes. */
  SYNC,
  /** Everything else: names, attributes, locks. */
  NAMES;

  // Numbers of the kernel's requests, from linux/fuse.h.
  private static final int OP_READ = 15;
  private static final int OP_WRITE = 16;
  private static final int OP_RELEASE = 18;
  private static final int OP_FSYNC = 20;
  private static final int OP_FLUSH = 25;
  private static final int OP_FSYNCDIR = 30;

  static RequestKind of(int operation) {
    return switch (operation) {
      case OP_READ -> READ;
      case OP_WRITE -> WRITE;
      case OP_RELEASE, OP_FSYNC, OP_FLUSH, OP_FSYNCDIR -> SYNC;
      default -> NAMES;
    };
  }
}
