// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.GroupId;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Peers;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the writes of a group use of its seat.
 *
 * @param remedy what people do about a seat that is full, as part of a sentence
 * @param homes the groups whose home this seat is
 */
public record PutParts(
    Basics basics,
    Peers peers,
    Intake intake,
    Holds holds,
    Overload overload,
    CopyQueues copies,
    Supplier<String> remedy,
    Homes homes) {
  /** The writes of the groups whose home this seat is, in the epochs entered by now. */
  public interface Homes {
    /** Null where another seat is the home. */
    @Nullable HomePuts of(GroupId group);
  }
}
