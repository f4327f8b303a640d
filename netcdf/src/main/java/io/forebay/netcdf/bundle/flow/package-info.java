// SPDX-License-Identifier: Apache-2.0

/**
 * One step's way through a rank: shuffle, aggregation and writes, all under way at the same time
 * within a bound of memory. The rank's own thread calls it. Start reading at {@link
 * io.forebay.netcdf.bundle.flow.Elements}.
 */
@NullMarked
package io.forebay.netcdf.bundle.flow;

import org.jspecify.annotations.NullMarked;
