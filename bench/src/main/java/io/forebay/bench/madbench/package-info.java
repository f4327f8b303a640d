// SPDX-License-Identifier: Apache-2.0

/**
 * The I/O of MADbench2, an application that the paper on Intrepid measured, with its profile. Ranks
 * are threads. Start reading at {@link io.forebay.bench.madbench.MadbenchBenchmark}.
 */
@NullMarked
package io.forebay.bench.madbench;

import org.jspecify.annotations.NullMarked;
