// SPDX-License-Identifier: Apache-2.0

/**
 * The classic netCDF format in its three versions: the header, its bytes, and the positions of
 * variables' data. Everything here is a value or a pure function, so any thread may call it. Start
 * reading at {@link io.forebay.netcdf.format.Header}.
 */
@NullMarked
package io.forebay.netcdf.format;

import org.jspecify.annotations.NullMarked;
