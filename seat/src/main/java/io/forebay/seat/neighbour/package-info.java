// SPDX-License-Identifier: Apache-2.0

/**
 * What a seat finds out about others without the manager: silent neighbours on the ring, and full
 * seats.
 *
 * <p>Called by the seat's loop only. The door, writes and draining may enter. Start reading at
 * {@link io.forebay.seat.neighbour.Stabilizer}.
 */
@NullMarked
package io.forebay.seat.neighbour;

import org.jspecify.annotations.NullMarked;
