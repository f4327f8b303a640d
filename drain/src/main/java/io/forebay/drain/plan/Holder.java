// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/**
 * A seat that takes part in a drain.
 *
 * @param group the group in which it keeps its writes as clean copies
 * @param has the groups whose records it holds locally, so that it need not fetch them
 */
public record Holder(SeatId seat, GroupId group, List<GroupId> has) {
  public Holder {
    has = List.copyOf(has);
  }
}
