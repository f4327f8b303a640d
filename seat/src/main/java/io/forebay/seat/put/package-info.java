// SPDX-License-Identifier: Apache-2.0

/**
 * Writes, copies and reads of records: their room in the log, the home's side of writes with the
 * decision to acknowledge (P9), the members' side, and the queues of copies.
 *
 * <p>Called by the seat's loop only. Reclaiming, repair, names, reading through and the group may
 * enter. Start reading at {@link io.forebay.seat.put.HomePuts}.
 */
@NullMarked
package io.forebay.seat.put;

import org.jspecify.annotations.NullMarked;
