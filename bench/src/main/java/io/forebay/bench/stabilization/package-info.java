// SPDX-License-Identifier: Apache-2.0

/**
 * What watching each other costs seats, in simulated rings. Called by one thread. Start reading at
 * {@link io.forebay.bench.stabilization.StabilizationBenchmark}.
 */
@NullMarked
package io.forebay.bench.stabilization;

import org.jspecify.annotations.NullMarked;
