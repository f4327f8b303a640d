// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;

/** Chooses a group for new records. Readers never use it: they follow published entries. */
public interface Placement {
  /**
   * The group for a piece of a file.
   *
   * @param attempt 0 at first; others for each further try after the group before did not answer
   */
  GroupId choose(long fileNumber, long offset, int attempt);
}
