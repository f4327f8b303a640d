// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import io.forebay.wire.message.Message;

/**
 * Observes everything that happens on a {@link MemoryNetwork}, in order, so that two runs of one
 * seed can be compared and a run can be shown.
 */
@FunctionalInterface
public interface MemoryTrace {
  /** What can happen to a message or a connection. */
  enum Event {
    REFUSED,
    OPENED,
    DELIVERED,
    LANDED,
    ABORTED,
    LOST,
    CLOSED,
    KILLED
  }

  /**
   * Something happened, on the network's clock.
   *
   * @param what the message's name, or why a connection is over
   * @param request the message's request, or 0
   */
  void happened(long nanos, Event event, String from, String to, String what, long request);

  /** A host sends a message; {@link #happened} reports whether it arrives. */
  default void sent(String from, String to, long request, Message message) {}

  /** A message is handed to its receiver. One that has to wait is handed over again. */
  default void handed(String from, String to, long request, Message message) {}
}
