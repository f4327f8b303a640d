// SPDX-License-Identifier: Apache-2.0

/**
 * Bundles as netCDF-4 files: a service that module {@code netcdf} finds when this module is on the
 * class path. Start reading at {@link io.forebay.netcdf4.bundle.LibraryFiles}.
 */
@NullMarked
package io.forebay.netcdf4.bundle;

import org.jspecify.annotations.NullMarked;
