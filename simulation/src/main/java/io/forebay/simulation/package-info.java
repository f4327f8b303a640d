/**
 * Whole clusters in one thread from one seed: the real manager, seat and client cores over a
 * network in memory and simulated disks. Everything happens in {@link
 * io.forebay.simulation.World#step}. Start reading at {@link io.forebay.simulation.World}.
 */
@NullMarked
package io.forebay.simulation;

import org.jspecify.annotations.NullMarked;
