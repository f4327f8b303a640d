// SPDX-License-Identifier: Apache-2.0

/**
 * Writes netCDF-4 files through the C library libnetcdf, which is loaded when a file is created. A
 * {@link io.forebay.netcdf.format.Header} describes the file. One thread at a time is in the
 * library: neither it nor HDF5 below it is made for more. Any thread may call the public types.
 * Start reading at {@link io.forebay.netcdf4.Netcdf4File}.
 */
@NullMarked
package io.forebay.netcdf4;

import org.jspecify.annotations.NullMarked;
