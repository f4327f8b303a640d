// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

/** The loop that drives the seat. */
public interface Loop {
  /** There is work soon: the loop must poll again before it sleeps. */
  void wake();

  /** Whether the seat has been closed, so that nothing is to be done any more. */
  boolean closed();
}
