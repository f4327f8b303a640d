// SPDX-License-Identifier: Apache-2.0

/**
 * Parallel netCDF: ranks of a program define, write and read one file together. A {@link
 * io.forebay.netcdf.NetcdfFile} is one rank's view of it, used by one thread at a time; it checks
 * requests and passes them to a driver. Start reading at {@link io.forebay.netcdf.NetcdfFile}.
 */
@NullMarked
package io.forebay.netcdf;

import org.jspecify.annotations.NullMarked;
