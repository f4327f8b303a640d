// SPDX-License-Identifier: Apache-2.0

/**
 * The limits of a drain: memory of the shuffle, bytes per second, and the bandwidth left to
 * writers. Bookkeeping only; time comes in as a number. Belongs to its seat's loop. Start reading
 * at {@link io.forebay.drain.pace.ShuffleBudget}.
 */
@NullMarked
package io.forebay.drain.pace;

import org.jspecify.annotations.NullMarked;
