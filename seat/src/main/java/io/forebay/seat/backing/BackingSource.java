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
   * @param owner the owner of the instance: the store is used with this user's rights
   * @throws IllegalArgumentException with a sentence for users if the address is invalid, or not
   *     permitted on this server
   */
  Backing open(String address, Identity owner);
}
