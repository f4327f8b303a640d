// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.forebay.mount.fuse.library.FuseLayouts;
import java.lang.foreign.MemorySegment;

/** The features negotiated with the kernel when a mount begins. */
final class FuseConnection {
  private static final int REQUEST_BYTES_MAX = 1024 * 1024;

  /** The maximum of concurrent background requests of the kernel, such as read-ahead. */
  private static final int BACKGROUND_MAX = 64;

  private final boolean writeback;
  private final boolean sharedLocks;

  FuseConnection(boolean writeback, boolean sharedLocks) {
    this.writeback = writeback;
    this.sharedLocks = sharedLocks;
  }

  /** Called once, by libfuse. */
  void begin(MemorySegment info) {
    int wanted =
        FuseLayouts.CAP_ASYNC_READ
            | FuseLayouts.CAP_ATOMIC_O_TRUNC
            | FuseLayouts.CAP_ASYNC_DIO
            | FuseLayouts.CAP_AUTO_INVAL_DATA
            | FuseLayouts.CAP_READDIRPLUS
            | FuseLayouts.CAP_READDIRPLUS_AUTO
            | FuseLayouts.CAP_PARALLEL_DIROPS
            | (sharedLocks ? FuseLayouts.CAP_POSIX_LOCKS | FuseLayouts.CAP_FLOCK_LOCKS : 0)
            | (writeback ? FuseLayouts.CAP_WRITEBACK_CACHE : 0);
    // Clears all other features: libfuse enables some by default.
    set(info, "want", wanted & get(info, "capable"));
    set(info, "max_write", REQUEST_BYTES_MAX);
    set(info, "max_background", BACKGROUND_MAX);
    set(info, "congestion_threshold", BACKGROUND_MAX * 3 / 4);
    set(info, "time_gran", 1);
  }

  private static int get(MemorySegment info, String member) {
    return info.get(JAVA_INT, FuseLayouts.at(FuseLayouts.CONN_INFO, member));
  }

  private static void set(MemorySegment info, String member, int value) {
    info.set(JAVA_INT, FuseLayouts.at(FuseLayouts.CONN_INFO, member), value);
  }
}
