// SPDX-License-Identifier: Apache-2.0

/**
 * The one entrance for messages from clients and other seats: a table names the handler of each
 * message class, and messages to a group are checked against its epoch before their handler sees
 * them. Only {@link io.forebay.seat.Seat} uses this package. Called by the seat's loop. Start
 * reading at {@link io.forebay.seat.door.SeatMessages}.
 */
@NullMarked
package io.forebay.seat.door;

import org.jspecify.annotations.NullMarked;
