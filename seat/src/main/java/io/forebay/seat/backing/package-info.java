// SPDX-License-Identifier: Apache-2.0

/**
 * The backing stores that a seat has opened.
 *
 * <p>Called by the seat's loop only. Draining and the door may enter. Start reading at {@link
 * io.forebay.seat.backing.Backings}.
 */
@NullMarked
package io.forebay.seat.backing;

import org.jspecify.annotations.NullMarked;
