// SPDX-License-Identifier: Apache-2.0

/**
 * Repair of copies: the home repairs members, damaged records are replaced, and seats compare their
 * records.
 *
 * <p>Called by the seat's loop only. The group, the door and the writing of chunks may enter. Start
 * reading at {@link io.forebay.seat.repair.HomeRepair}.
 */
@NullMarked
package io.forebay.seat.repair;

import org.jspecify.annotations.NullMarked;
