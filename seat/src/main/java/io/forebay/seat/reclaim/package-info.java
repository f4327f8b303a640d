// SPDX-License-Identifier: Apache-2.0

/**
 * How room comes back: records that count no longer are deleted here and on all members, what was
 * told to no seat is found by a sweep, and what ended sessions left is dropped.
 *
 * <p>Called by the seat's loop only. Names, the group and the door may enter. Start reading at
 * {@link io.forebay.seat.reclaim.HomeReclaim}.
 */
@NullMarked
package io.forebay.seat.reclaim;

import org.jspecify.annotations.NullMarked;
