// SPDX-License-Identifier: Apache-2.0

/**
 * Reading bytes that only the backing store has, caching them in the buffer, and looking up names
 * there.
 *
 * <p>Called by the seat's loop only. Only {@code drain} may enter. Start reading at {@link
 * io.forebay.seat.drain.through.ReadThrough}.
 */
@NullMarked
package io.forebay.seat.drain.through;

import org.jspecify.annotations.NullMarked;
