// SPDX-License-Identifier: Apache-2.0

/**
 * What leads out of a seat: connections to other seats and to the manager, questions that are asked
 * there, and where payloads that answer them go.
 *
 * <p>Called by the seat's loop only. Every room that asks another seat or the manager may enter;
 * this one uses only {@code part}. Start reading at {@link io.forebay.seat.peer.Questions}.
 */
@NullMarked
package io.forebay.seat.peer;

import org.jspecify.annotations.NullMarked;
