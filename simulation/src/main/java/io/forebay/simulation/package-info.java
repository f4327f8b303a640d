// SPDX-License-Identifier: Apache-2.0

/**
 * Whole runs of a simulated cluster from one seed: scenarios and checks. Entered by tests,
 * benchmarks and the command. One thread. Start reading at {@link
 * io.forebay.simulation.SimulationRun}.
 */
@NullMarked
package io.forebay.simulation;

import org.jspecify.annotations.NullMarked;
