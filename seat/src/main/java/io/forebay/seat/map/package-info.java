// SPDX-License-Identifier: Apache-2.0

/**
 * The map that the seat follows and its identity, recorded before they have any effect (P16).
 *
 * <p>Called by the seat's loop only. Only the seat wires it; other rooms see the map through {@code
 * part.MapView}. What a stopped seat remembers is read by {@link
 * io.forebay.seat.map.RememberedMap}, for a manager that lost its log. Start reading at {@link
 * io.forebay.seat.map.MapMemory}.
 */
@NullMarked
package io.forebay.seat.map;

import org.jspecify.annotations.NullMarked;
