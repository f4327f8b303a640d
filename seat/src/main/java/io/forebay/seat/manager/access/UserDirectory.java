// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.wire.message.Identity;
import java.util.List;
import java.util.function.Consumer;

/**
 * The users and groups that the manager's machine knows, as the manager's loop sees them: a lookup
 * may take long, so it is answered later.
 */
public interface UserDirectory {
  /** What is known of a user. */
  sealed interface Found {
    /** All groups, the primary one first. */
    record Groups(List<Integer> groups) implements Found {
      public Groups {
        groups = List.copyOf(groups);
      }
    }

    /** The groups are not known; a clause says why. */
    record Unknown(String why) implements Found {}
  }

  /** Knows of each user what was proved. */
  UserDirectory PROVED = (proved, answer) -> answer.accept(new Found.Groups(proved.groups()));

  /**
   * Looks a user up.
   *
   * @param proved the user, with the groups that were proved
   * @param answer called once, at once or later, on the loop of the caller
   */
  void find(Identity proved, Consumer<Found> answer);
}
