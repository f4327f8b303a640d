// SPDX-License-Identifier: Apache-2.0

/**
 * The memory of a rank, within its bound. Each object belongs to one rank's thread. Start reading
 * at {@link io.forebay.netcdf.bundle.memory.RankMemory}.
 */
@NullMarked
package io.forebay.netcdf.bundle.memory;

import org.jspecify.annotations.NullMarked;
