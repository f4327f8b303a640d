// SPDX-License-Identifier: Apache-2.0

/**
 * The journal of a group: in this seat's log, as the home replicates it, and as a member follows
 * it.
 *
 * <p>Called by the seat's loop only. The group and the search for groups that were left may enter.
 * Start reading at {@link io.forebay.seat.journal.HomeJournal}.
 */
@NullMarked
package io.forebay.seat.journal;

import org.jspecify.annotations.NullMarked;
