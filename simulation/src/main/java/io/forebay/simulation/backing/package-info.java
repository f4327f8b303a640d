// SPDX-License-Identifier: Apache-2.0

/**
 * A backing store in memory that is slow, full or away when the seed says so. Entered by the world,
 * the audits and tests. One thread. Start reading at {@link
 * io.forebay.simulation.backing.SimulatedBackingStore}.
 */
@NullMarked
package io.forebay.simulation.backing;

import org.jspecify.annotations.NullMarked;
