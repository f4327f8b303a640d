// SPDX-License-Identifier: Apache-2.0

/**
 * How the state of a manager that lost its log is found again from the maps that seats remember
 * (P36). Pure. Entered by the command that recovers a manager, and by the simulation. Start reading
 * at {@link io.forebay.seat.manager.recovery.NewestMap}.
 */
@NullMarked
package io.forebay.seat.manager.recovery;

import org.jspecify.annotations.NullMarked;
