// SPDX-License-Identifier: Apache-2.0

/**
 * Bundles on a simulated cluster: the library's own code, with hundreds of ranks, over a network
 * and a store that move lengths instead of bytes and take virtual time for it. Exactly one thread
 * runs at a time, so two runs give the same times. Start reading at {@link
 * io.forebay.bench.geos5.model.SimulatedRanks}.
 */
@NullMarked
package io.forebay.bench.geos5.model;

import org.jspecify.annotations.NullMarked;
