// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

/** The loop that drives the seat. */
public interface Loop {
  /** Something is to be done soon: the loop shall not sleep before it polls again. */
  void wake();

  /** Whether the seat has been closed, so that nothing is to be done any more. */
  boolean closed();
}
