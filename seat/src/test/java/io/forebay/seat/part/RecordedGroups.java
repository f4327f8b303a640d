// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.GroupId;
import java.util.ArrayList;
import java.util.List;

/** The groups of a seat for tests of parts: it is a member of all, and records what it gives up. */
public final class RecordedGroups implements Groups {
  private final List<String> givenUp = new ArrayList<>();

  /** The reasons why groups were given up. */
  public List<String> givenUp() {
    return givenUp;
  }

  @Override
  public boolean isMember(GroupId group) {
    return true;
  }

  @Override
  public void giveUp(GroupId group, String reason) {
    givenUp.add(reason);
  }
}
