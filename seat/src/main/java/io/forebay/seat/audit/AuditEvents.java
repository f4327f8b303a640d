// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;

/** Gets what users and operators did, for an audit. Called on a loop; must not block. */
public interface AuditEvents {
  /** A request was carried out or refused, or something happened without one. */
  default void audited(AuditEvent event) {}

  /** How many events could not be kept, since the process started. */
  default long lost() {
    return 0;
  }

  /** The same as a count of a limit, for status. */
  default LimitCounts lostLines() {
    LimitCounts counts = new LimitCounts();
    counts.reached(Limit.AUDIT_LINES, lost());
    return counts;
  }
}
