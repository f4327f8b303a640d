package io.forebay.netcdf.driver.logging;

import java.nio.file.Path;

/**
 * How writes are logged.
 *
 * @param directory where the logs are: fast storage
 * @param sharedByNode whether the ranks of a node write into one log
 * @param deleteOnClose whether logs go when the file is closed
 * @param flushBufferBytes how much a rank brings to the file at a time; 0 for everything at once
 * @param flushBeforeRead whether a read first brings everything to the file, instead of looking
 *     into the log
 * @param logBytesMax how long a rank's log may become before it is brought to the file; 0 for any
 */
public record LogSettings(
    Path directory,
    boolean sharedByNode,
    boolean deleteOnClose,
    long flushBufferBytes,
    boolean flushBeforeRead,
    long logBytesMax) {
  public LogSettings {
    if (flushBufferBytes < 0 || logBytesMax < 0) {
      throw new IllegalArgumentException("sizes of a log are not negative");
    }
  }
}
