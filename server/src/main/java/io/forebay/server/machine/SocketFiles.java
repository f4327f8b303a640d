// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.machine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Paths for Unix sockets: the system allows only short ones. */
public final class SocketFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SocketFiles.class);

  /** Linux takes 107 bytes, others 103. */
  private static final int PATH_BYTES_MAX = 100;

  private SocketFiles() {}

  /** That path, or null if no socket can be there; clients then use TCP on this machine too. */
  public static @Nullable Path find(Path wanted) {
    if (wanted.toString().getBytes(StandardCharsets.UTF_8).length <= PATH_BYTES_MAX) return wanted;
    LOG.info("{} is too long a path for a socket; clients on this machine use TCP", wanted);
    return null;
  }
}
