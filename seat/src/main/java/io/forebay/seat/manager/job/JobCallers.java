// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Jobs;

/** What the desk for jobs asks about the other ends of connections. */
public interface JobCallers {
  /** The node whose agent has the other end; empty for other callers. */
  String agentOf(Connection connection);

  /** Whether the other end sees the jobs of all users. */
  boolean seesAll(Connection connection);

  /** Whether the other end sees a job. */
  boolean sees(Connection connection, Jobs.Job job);
}
