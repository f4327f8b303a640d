package io.forebay.seat;

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

  /** The seat has left the ring, as it was asked to: it is not needed any more. */
  default void left() {}
}
