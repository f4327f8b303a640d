// SPDX-License-Identifier: Apache-2.0

/**
 * Names in the backing store: changes that cannot be made twice wait for calls that may still be
 * carried out (P24), files of other programs are not replaced, leftovers are removed.
 *
 * <p>Called by the seat's loop only. {@code drain}, {@code drain.attempt} and {@code drain.through}
 * may enter. Start reading at {@link io.forebay.seat.drain.naming.BackingChanges}.
 */
@NullMarked
package io.forebay.seat.drain.naming;

import org.jspecify.annotations.NullMarked;
