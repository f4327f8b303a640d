// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

/** What a seat tells people without being asked, in sentences. Called on its loop. */
public interface SeatEvents {
  SeatEvents NONE =
      new SeatEvents() {
        @Override
        public void told(String sentence) {}

        @Override
        public void warned(String sentence) {}
      };

  void told(String sentence);

  /** Something that somebody should look at. */
  void warned(String sentence);

  /**
   * A request failed by an error in this program, before it had changed anything: it was refused
   * and the seat goes on. Only a real server survives it: tests and the simulator are to find it.
   */
  default void requestFailed(String sentence, Throwable cause) {
    throw new IllegalStateException(sentence, cause);
  }

  /** The seat has left the ring, as it was asked to: it is not needed any more. */
  default void left() {}
}
