// SPDX-License-Identifier: Apache-2.0

/**
 * Commands for netCDF files and for the logs of programs that write them. Each runs on the main
 * thread. Start reading at {@link io.forebay.cli.netcdf.NetcdfCommand}.
 */
@NullMarked
package io.forebay.cli.netcdf;

import org.jspecify.annotations.NullMarked;
