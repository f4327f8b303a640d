// SPDX-License-Identifier: Apache-2.0

/**
 * The benchmark of parallel netCDF: programs of the paper on a logging driver (Hou et al.), written
 * in each mode by ranks that are threads or processes, next to blocking writes; reordering and log
 * appends separately; and PnetCDF, where it is installed. Start reading at {@link
 * io.forebay.bench.netcdf.NetcdfBenchmark}.
 */
@NullMarked
package io.forebay.bench.netcdf;

import org.jspecify.annotations.NullMarked;
