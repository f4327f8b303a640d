// SPDX-License-Identifier: Apache-2.0

/**
 * One group in the epoch that this seat has entered, as its home or as a member behind the home:
 * the start of a home, the entries it applies, and slow members.
 *
 * <p>Called by the seat's loop only. Only the seat may enter. Start reading at {@link
 * io.forebay.seat.group.GroupSeat}.
 */
@NullMarked
package io.forebay.seat.group;

import org.jspecify.annotations.NullMarked;
