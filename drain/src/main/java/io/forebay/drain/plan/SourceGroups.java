// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/** Tells of a source's number which group holds the bytes. */
@FunctionalInterface
public interface SourceGroups {
  /** What no group holds, such as what is read from the backing store. */
  int NONE = -1;

  /** The number of the source's group, or {@link #NONE}. */
  int groupOf(int source);
}
