// SPDX-License-Identifier: Apache-2.0

/**
 * What the other ends of a seat's connections have proved, and which of their messages that allows.
 *
 * <p>Called by the seat's loop only. The door may enter. Start reading at {@link
 * io.forebay.seat.access.Entrances}.
 */
@NullMarked
package io.forebay.seat.access;

import org.jspecify.annotations.NullMarked;
