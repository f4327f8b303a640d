// SPDX-License-Identifier: Apache-2.0

/**
 * The ways in which a pattern reaches its destination: at once, through this library's log, and in
 * the ways of other systems, for comparison. Each object belongs to one rank. Start reading at
 * {@link io.forebay.bench.netcdf.mode.Mode}.
 */
@NullMarked
package io.forebay.bench.netcdf.mode;

import org.jspecify.annotations.NullMarked;
