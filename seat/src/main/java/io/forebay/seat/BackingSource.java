package io.forebay.seat;

import io.forebay.backing.Backing;

/** Opens backing stores for a seat. */
public interface BackingSource {
  /** For a seat that drains nothing. */
  BackingSource NONE =
      address -> {
        throw new IllegalArgumentException("this server has no backing stores");
      };

  /**
   * Opens the store at an address; the seat closes it.
   *
   * @throws IllegalArgumentException with a sentence for people if the address is not right
   */
  Backing open(String address);
}
