// SPDX-License-Identifier: Apache-2.0

/**
 * What a seat knows of others without the manager: which neighbours on the ring are silent, and
 * which seats are full.
 *
 * <p>Called by the seat's loop only. The door, writes and draining may enter. Start reading at
 * {@link io.forebay.seat.neighbour.Stabilizer}.
 */
@NullMarked
package io.forebay.seat.neighbour;

import org.jspecify.annotations.NullMarked;
