// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.seat.consensus.Consensus;
import java.io.IOException;

/**
 * How the managers of a cluster agree, as the process of one of them runs it. Opened, used and
 * closed by the thread of its loop.
 */
public interface Agreement extends AutoCloseable {
  Consensus consensus();

  /** Clients and other managers can reach this one from now on. */
  default void listening() {}

  /** Continues pending work; returns whether some is pending. */
  boolean poll();

  @Override
  void close() throws IOException;
}
