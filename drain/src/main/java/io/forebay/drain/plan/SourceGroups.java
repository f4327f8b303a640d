// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/** Maps a source's number to the group that holds its bytes. */
@FunctionalInterface
public interface SourceGroups {
  /** For bytes that no group holds, such as those read from the backing store. */
  int NONE = -1;

  /** The number of the source's group, or {@link #NONE}. */
  int groupOf(int source);
}
