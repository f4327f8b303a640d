// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.backing;

import io.forebay.backing.Backing;
import io.forebay.wire.message.Identity;

/** Opens backing stores for a seat. */
public interface BackingSource {
  /** For a seat that drains nothing. */
  BackingSource NONE =
      (address, owner) -> {
        throw new IllegalArgumentException("this server has no backing stores");
      };

  /**
   * Opens the store at an address; the seat closes it.
   *
   * @param owner of the instance whose store it is: the store is used with this user's rights
   * @throws IllegalArgumentException with a sentence for people if the address is not right, or not
   *     one that this server may use
   */
  Backing open(String address, Identity owner);
}
