// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.GroupId;

/** The groups that the seat is a member of. */
public interface Groups {
  boolean isMember(GroupId group);

  /** A device failed: data of the group is not safe here. */
  void giveUp(GroupId group, String reason);
}
