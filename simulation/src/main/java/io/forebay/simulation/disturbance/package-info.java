// SPDX-License-Identifier: Apache-2.0

/**
 * Disturbances of a world while users work: kills, partitions, failing disks, flipped bits, servers
 * that come and go. Entered by runs. One thread. Start reading at {@link
 * io.forebay.simulation.disturbance.Disturber}.
 */
@NullMarked
package io.forebay.simulation.disturbance;

import org.jspecify.annotations.NullMarked;
