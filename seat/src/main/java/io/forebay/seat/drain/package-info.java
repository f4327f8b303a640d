// SPDX-License-Identifier: Apache-2.0

/**
 * Draining the trees of a home: which file is drained when, and what the buffer evicts. The steps
 * have rooms of their own: {@code attempt} writes files, {@code naming} names them, {@code chunk}
 * is the seat that writes bytes, {@code through} reads what only the backing store has.
 *
 * <p>Called by the seat's loop only. The group and the seat may enter. Start reading at {@link
 * io.forebay.seat.drain.HomeDrain}.
 */
@NullMarked
package io.forebay.seat.drain;

import org.jspecify.annotations.NullMarked;
