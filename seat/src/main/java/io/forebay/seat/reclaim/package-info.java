// SPDX-License-Identifier: Apache-2.0

/**
 * Reclaiming room: dead records are deleted here and on all members, a sweep finds those that no
 * message named, and leftovers of ended sessions are deleted.
 *
 * <p>Called by the seat's loop only. Names, the group and the door may enter. Start reading at
 * {@link io.forebay.seat.reclaim.HomeReclaim}.
 */
@NullMarked
package io.forebay.seat.reclaim;

import org.jspecify.annotations.NullMarked;
