// SPDX-License-Identifier: Apache-2.0

/**
 * The ranks of a trial, as threads or as processes under MPI, and what they measured. Entered by
 * the benchmark and its modes. Each object belongs to one thread unless it says otherwise. Start
 * reading at {@link io.forebay.bench.netcdf.crew.Crew}.
 */
@NullMarked
package io.forebay.bench.netcdf.crew;

import org.jspecify.annotations.NullMarked;
