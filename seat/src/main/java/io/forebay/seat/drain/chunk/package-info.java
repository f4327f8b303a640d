// SPDX-License-Identifier: Apache-2.0

/**
 * A seat as the writer of chunks: it gathers the bytes from its log, from other seats and from the
 * backing store, and writes them.
 *
 * <p>Called by the seat's loop only. The door and {@code drain.through} may enter. Start reading at
 * {@link io.forebay.seat.drain.chunk.DrainWriter}.
 */
@NullMarked
package io.forebay.seat.drain.chunk;

import org.jspecify.annotations.NullMarked;
