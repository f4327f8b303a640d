// SPDX-License-Identifier: Apache-2.0

/**
 * Attempts at storing files, alone or several together: begun in the journal, planned, written by
 * seats, forced, and aborted when they fail (P22).
 *
 * <p>Called by the seat's loop only. Only {@code drain} may enter. Start reading at {@link
 * io.forebay.seat.drain.attempt.DrainJob}.
 */
@NullMarked
package io.forebay.seat.drain.attempt;

import org.jspecify.annotations.NullMarked;
