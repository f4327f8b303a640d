// SPDX-License-Identifier: Apache-2.0

/**
 * Takes the manager's requests and decides what to propose: a desk for each kind of business
 * (joining, members, leases, self-reported failures, silent and revived seats, instances), and the
 * desks' own memory, which is not replicated. Entered by {@link io.forebay.seat.manager.Manager};
 * {@link io.forebay.seat.manager.desk.ManagerConfig} and {@link
 * io.forebay.seat.manager.desk.ManagerEvents} are for its owner. Called by the manager's loop only.
 * Start reading at {@link io.forebay.seat.manager.desk.Decisions}.
 */
@NullMarked
package io.forebay.seat.manager.desk;

import org.jspecify.annotations.NullMarked;
