// SPDX-License-Identifier: Apache-2.0

/**
 * The leases under which a home answers about names (P13).
 *
 * <p>Called by the seat's loop only. Only the group may enter. Start reading at {@link
 * io.forebay.seat.lease.LeaseKeeper}.
 */
@NullMarked
package io.forebay.seat.lease;

import org.jspecify.annotations.NullMarked;
