// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.GroupId;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Peers;
import io.forebay.seat.use.Policies;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators of a group's writes, from its seat.
 *
 * @param remedy the remedy for a full seat, as part of a sentence
 * @param policies what write protection allows
 * @param homes the groups with this seat as home
 */
public record PutParts(
    Basics basics,
    Peers peers,
    Intake intake,
    Holds holds,
    Overload overload,
    CopyQueues copies,
    Supplier<String> remedy,
    Policies policies,
    Homes homes) {
  /** The writes of the groups with this seat as home, in the current epochs. */
  public interface Homes {
    /** Null where another seat is the home. */
    @Nullable HomePuts of(GroupId group);
  }
}
