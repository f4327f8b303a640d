// SPDX-License-Identifier: Apache-2.0

/**
 * Programs that use the simulated cluster at random: files and pairs, locks, and one without
 * rights. Entered by runs and disturbances. One thread. Start reading at {@link
 * io.forebay.simulation.user.SimulatedUser}.
 */
@NullMarked
package io.forebay.simulation.user;

import org.jspecify.annotations.NullMarked;
