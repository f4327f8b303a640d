// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.datawarp;

import io.forebay.job.directive.BufferPath;
import java.util.List;

/** The variables of a job's environment that name its directories. */
public final class PathVariables {
  /**
   * Where nodes find a buffer.
   *
   * @param persistent the persistent buffer's name; empty for the job's own
   * @param directory a whole path
   */
  public record Mount(BufferPath.Root root, String persistent, String directory) {}

  private PathVariables() {}

  /**
   * A line {@code NAME=value} for each buffer. The value ends with a slash: scripts rely on it.
   *
   * @throws IllegalArgumentException for a directory that cannot stand in such a line
   */
  public static String lines(List<Mount> mounts) {
    StringBuilder out = new StringBuilder();
    for (Mount mount : mounts) {
      String directory = mount.directory();
      if (!directory.startsWith("/") || directory.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("not a directory for a variable: '" + directory + "'");
      }
      out.append(mount.root().variable()).append(mount.persistent()).append('=').append(directory);
      if (!directory.endsWith("/")) out.append('/');
      out.append('\n');
    }
    return out.toString();
  }
}
