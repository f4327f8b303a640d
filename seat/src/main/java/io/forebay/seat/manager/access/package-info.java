// SPDX-License-Identifier: Apache-2.0

/**
 * What the other ends of a manager's connections have proved, which of their requests that allows,
 * and the capabilities that they get.
 *
 * <p>Called by the manager's loop only. Start reading at {@link
 * io.forebay.seat.manager.access.Callers}.
 */
@NullMarked
package io.forebay.seat.manager.access;

import org.jspecify.annotations.NullMarked;
