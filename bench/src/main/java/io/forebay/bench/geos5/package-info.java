// SPDX-License-Identifier: Apache-2.0

/**
 * The output of GEOS-5 as in the paper on BPAR: seven bundles in every step, written in each of the
 * ways that the paper compares. Start reading at {@link io.forebay.bench.geos5.Geos5Benchmark}.
 */
@NullMarked
package io.forebay.bench.geos5;

import org.jspecify.annotations.NullMarked;
