// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.mount.fuse.operation.Errno;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs why operations failed, since the calling program only gets an error number. Errors that
 * programs expect of file systems, such as a name that does not exist, are not logged. Bounded:
 * when a cluster is gone, programs may fail many thousand times a second. Any thread.
 */
final class FailureLog {
  /** Lines in each {@link #WINDOW_NANOS}; the rest is counted. */
  static final int LINES_MAX = 10;

  static final long WINDOW_NANOS = 10_000_000_000L;

  private static final int CAUSES_MAX = 8;

  private final Logger log;
  private final LongSupplier nanos;
  private long windowNanos;
  private int lines;
  private long untold;

  FailureLog(Logger log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
    this.windowNanos = nanos.getAsLong();
  }

  /**
   * An operation ended with an error number.
   *
   * @param operation the operation and the calling process, for the log
   */
  void failed(Supplier<String> operation, int errno, Throwable failure) {
    String name = nameOf(errno);
    if (name == null) return;
    long before;
    synchronized (this) {
      long now = nanos.getAsLong();
      if (now - windowNanos >= WINDOW_NANOS) {
        windowNanos = now;
        lines = 0;
      }
      if (lines >= LINES_MAX) {
        untold++;
        return;
      }
      lines++;
      before = untold;
      untold = 0;
    }
    if (before > 0) log.warn("{} more operations failed since the last message", before);
    if (failure instanceof RuntimeException || failure instanceof Error) {
      log.error("{} failed with {}", operation.get(), name, failure);
    } else {
      log.warn("{} failed with {}: {}", operation.get(), name, sentence(failure));
    }
  }

  /** Null for what programs expect. */
  private static @Nullable String nameOf(int errno) {
    return switch (errno) {
      case Errno.EIO -> "EIO";
      case Errno.ENOSPC -> "ENOSPC";
      case Errno.ENOMEM -> "ENOMEM";
      case Errno.ETIMEDOUT -> "ETIMEDOUT";
      default -> null;
    };
  }

  /** The sentence of each cause. */
  private static String sentence(Throwable failure) {
    StringBuilder all = new StringBuilder();
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++, cause = cause.getCause()) {
      String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
      if (all.indexOf(message) >= 0) continue;
      if (!all.isEmpty()) all.append(": ");
      all.append(message);
    }
    return all.toString();
  }
}
