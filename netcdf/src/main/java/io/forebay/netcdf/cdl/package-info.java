// SPDX-License-Identifier: Apache-2.0

/**
 * Files as CDL, the text form of netCDF, byte for byte as ncdump prints it. Classes are used by one
 * thread at a time. Start reading at {@link io.forebay.netcdf.cdl.CdlWriter}.
 */
@NullMarked
package io.forebay.netcdf.cdl;

import org.jspecify.annotations.NullMarked;
