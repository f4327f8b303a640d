// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.seat.audit.AuditEvents;

/** A seat's events for operators, as sentences, and for audits. Called on its loop. */
public interface SeatEvents extends AuditEvents {
  SeatEvents NONE =
      new SeatEvents() {
        @Override
        public void told(String sentence) {}

        @Override
        public void warned(String sentence) {}
      };

  void told(String sentence);

  /** A condition that an operator should look at. */
  void warned(String sentence);

  /**
   * A request failed by an error in this program, before it had changed anything: it was refused
   * and the seat continues. Only a real server survives that: tests and the simulator must find the
   * error.
   */
  default void requestFailed(String sentence, Throwable cause) {
    throw new IllegalStateException(sentence, cause);
  }

  /** Another server asks this one to help with the stages of an instance. */
  default void calledToStage(int instance, String name) {}

  /** The seat has left the ring, as it was asked to: it is not needed any more. */
  default void left() {}
}
