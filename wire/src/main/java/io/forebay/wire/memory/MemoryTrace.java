package io.forebay.wire.memory;

/**
 * Told of everything that happens on a {@link MemoryNetwork}, in order, so that two runs of one
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
}
