// SPDX-License-Identifier: Apache-2.0

/**
 * The seat core: one place on the ring with its log, as a state machine over clock, network and
 * store. Everything here is called by the seat's own loop, one call at a time. Start reading at
 * {@link io.forebay.seat.Seat}.
 */
@NullMarked
package io.forebay.seat;

import org.jspecify.annotations.NullMarked;
