// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import java.nio.file.Path;

/**
 * How writes are logged.
 *
 * @param directory the directory of the logs, on fast storage
 * @param sharedByNode whether the ranks of a node write into one log
 * @param deleteOnClose whether logs are deleted when the file is closed
 * @param flushBufferBytes how much a rank flushes at a time; 0 for everything at once
 * @param flushBeforeRead whether a read first flushes everything, instead of reading from the log
 * @param logBytesMax the maximum length of a rank's log before it is flushed; 0 for no limit
 * @param background whether it is flushed in the background
 * @param heldBytesMax how many written bytes a killed program may lose; 0 for none
 * @param agreed whether all ranks learn the result of each collective write on the others
 */
public record LogSettings(
    Path directory,
    boolean sharedByNode,
    boolean deleteOnClose,
    long flushBufferBytes,
    boolean flushBeforeRead,
    long logBytesMax,
    boolean background,
    long heldBytesMax,
    boolean agreed) {
  /** The default flush size of a rank. */
  public static final long FLUSH_BUFFER_BYTES = 64L << 20;

  private static final long BACKGROUND_LOG_BYTES_MAX = 128L << 20;
  private static final int STARTS_PER_PART = 4;

  public LogSettings {
    if (flushBufferBytes < 0 || logBytesMax < 0 || heldBytesMax < 0) {
      throw new IllegalArgumentException("sizes of a log are not negative");
    }
  }

  /**
   * Whether ranks agree on the result of a collective write: always so if they also agree on
   * flushing.
   */
  boolean agreesOnPuts() {
    return agreed || background || logBytesMax > 0;
  }

  /** How long one of two parts of a log may become before its rank waits for the other. */
  long partBytesMax() {
    return Math.max(1, (logBytesMax == 0 ? BACKGROUND_LOG_BYTES_MAX : logBytesMax) / 2);
  }

  /** The length from which a part is flushed in the background. */
  long backgroundBytesMin() {
    return Math.max(1, partBytesMax() / STARTS_PER_PART);
  }
}
