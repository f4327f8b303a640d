// SPDX-License-Identifier: Apache-2.0

/**
 * Which map the seat follows and which seat it is, written down before anything follows from it
 * (P16).
 *
 * <p>Called by the seat's loop only. Only the seat wires it; other rooms see the map through {@code
 * part.MapView}. Start reading at {@link io.forebay.seat.map.MapMemory}.
 */
@NullMarked
package io.forebay.seat.map;

import org.jspecify.annotations.NullMarked;
