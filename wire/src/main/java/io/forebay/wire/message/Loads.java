// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/** How full seats are. Sent to neighbours with every {@link Maps.Pong}, and on request. */
public interface Loads {
  /** What a seat is short of. Later values are worse. */
  enum Strain {
    NONE,
    /** Its memory fills faster than it can be written to the SSD. */
    MEMORY,
    /** There is no room at all. */
    FULL
  }

  /**
   * How full a seat is.
   *
   * @param usedPermille of what takes writes first, its memory if it has such a tier
   * @param spareBytes its room that is not promised to instances; below 0 if it lacks some
   */
  record Load(Strain strain, int usedPermille, long spareBytes) {
    /** Of a seat that promises nothing. */
    public Load(Strain strain, int usedPermille) {
      this(strain, usedPermille, Long.MAX_VALUE);
    }
  }

  /** Asks a seat how full it is. Answered with {@link LoadIs}. */
  record AskLoad() implements Message {}

  record LoadIs(Load load) implements Message {}
}
