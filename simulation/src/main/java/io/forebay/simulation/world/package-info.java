// SPDX-License-Identifier: Apache-2.0

/**
 * Whole clusters in one thread from one seed: the real manager, seat and client cores over a
 * network in memory and simulated disks. Everything happens in {@link
 * io.forebay.simulation.world.World#step}. Entered by all packages of the simulation but for those
 * below it, {@code fault} and {@code backing}. Start reading at {@link
 * io.forebay.simulation.world.World}.
 */
@NullMarked
package io.forebay.simulation.world;

import org.jspecify.annotations.NullMarked;
