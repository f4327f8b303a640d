// SPDX-License-Identifier: Apache-2.0

/**
 * The agreed state of managers: commands, the state that they change when they are committed, and
 * the rules that refuse them. The same commands give the same state on every replica. Entered by
 * the manager and its desks. Called by the manager's loop only. Start reading at {@link
 * io.forebay.seat.manager.state.ManagerState}.
 */
@NullMarked
package io.forebay.seat.manager.state;

import org.jspecify.annotations.NullMarked;
