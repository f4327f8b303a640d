// SPDX-License-Identifier: Apache-2.0

/**
 * Counts what is written and read of each instance, and enforces write protection. On the seat's
 * loop. Puts and names enter here.
 *
 * <p>Start reading at {@link io.forebay.seat.use.Policies}.
 */
@NullMarked
package io.forebay.seat.use;

import org.jspecify.annotations.NullMarked;
