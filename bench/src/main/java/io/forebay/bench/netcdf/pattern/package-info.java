// SPDX-License-Identifier: Apache-2.0

/**
 * The writes of parallel programs, as lists of requests: IOR's two patterns, FLASH-IO and BTIO.
 * Values without threads; every rank can list every rank's requests. Start reading at {@link
 * io.forebay.bench.netcdf.pattern.Pattern}.
 */
@NullMarked
package io.forebay.bench.netcdf.pattern;

import org.jspecify.annotations.NullMarked;
