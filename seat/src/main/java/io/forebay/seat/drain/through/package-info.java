// SPDX-License-Identifier: Apache-2.0

/**
 * Reading what only the backing store has, taking it into the buffer again, and looking up names
 * there.
 *
 * <p>Called by the seat's loop only. Only {@code drain} may enter. Start reading at {@link
 * io.forebay.seat.drain.through.ReadThrough}.
 */
@NullMarked
package io.forebay.seat.drain.through;

import org.jspecify.annotations.NullMarked;
