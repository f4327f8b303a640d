// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import java.nio.file.Path;
import java.util.List;

/**
 * What of the file system a server may stage, and how fast.
 *
 * @param roots only files below these directories are staged; nothing if there are none
 * @param bytesPerSecond of all stages together, read and written there; 0 for no limit
 */
public record StageAccess(List<Path> roots, long bytesPerSecond) {
  /** Nothing may be staged. */
  public static final StageAccess NONE = new StageAccess(List.of(), 0);

  public StageAccess {
    roots = List.copyOf(roots);
    if (bytesPerSecond < 0) throw new IllegalArgumentException("rate of " + bytesPerSecond);
  }
}
