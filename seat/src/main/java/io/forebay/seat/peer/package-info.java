// SPDX-License-Identifier: Apache-2.0

/**
 * A seat's way to others: connections to other seats and to the manager, questions to them, and the
 * destinations of payloads in answers.
 *
 * <p>Called by the seat's loop only. Every room that asks another seat or the manager may enter;
 * this one uses only {@code part}. Start reading at {@link io.forebay.seat.peer.Questions}.
 */
@NullMarked
package io.forebay.seat.peer;

import org.jspecify.annotations.NullMarked;
