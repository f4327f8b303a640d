// SPDX-License-Identifier: Apache-2.0

/**
 * How copies come back: the home brings members up to date, damaged records are replaced, and seats
 * compare what they hold.
 *
 * <p>Called by the seat's loop only. The group, the door and the writing of chunks may enter. Start
 * reading at {@link io.forebay.seat.repair.HomeRepair}.
 */
@NullMarked
package io.forebay.seat.repair;

import org.jspecify.annotations.NullMarked;
