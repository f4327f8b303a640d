// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Which instances are mounted on this machine, and where. Any thread. */
public interface MountedPaths {
  /**
   * What is mounted where a path is, or null if it is in no mounted instance.
   *
   * @param path an absolute path without links; it need not exist
   */
  @Nullable Mounted find(String path) throws IOException;

  /**
   * A mounted instance.
   *
   * @param directory where it is mounted
   * @param uri the address of what is mounted, such as {@code forebay://host:7070/scratch/part}
   * @param privateTree whether it is the private tree of this node, where the instance also has one
   *     for all
   */
  record Mounted(String directory, String uri, boolean privateTree) {}
}
