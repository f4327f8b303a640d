// SPDX-License-Identifier: Apache-2.0

/**
 * What every room of the seat may use: its identity, the map it follows, its clock and log,
 * counters and events. Narrow interfaces that {@code Seat}, a group's home and a drained tree
 * implement, so that no part needs its owner.
 *
 * <p>Called by the seat's loop only. All rooms of {@code io.forebay.seat} may enter; this one uses
 * none of them. Start reading at {@link io.forebay.seat.part.Basics}.
 */
@NullMarked
package io.forebay.seat.part;

import org.jspecify.annotations.NullMarked;
