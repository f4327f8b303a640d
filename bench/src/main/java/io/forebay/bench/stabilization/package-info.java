// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of watching neighbours, in simulated rings. Called by one thread. Start reading at
 * {@link io.forebay.bench.stabilization.StabilizationBenchmark}.
 */
@NullMarked
package io.forebay.bench.stabilization;

import org.jspecify.annotations.NullMarked;
