// SPDX-License-Identifier: Apache-2.0

/**
 * Bundles: several netCDF files that all ranks write together in each output step, each by a group
 * of ranks of its own, as in BPAR. The ranks' own threads call it. Start reading at {@link
 * io.forebay.netcdf.bundle.BundleSet}.
 */
@NullMarked
package io.forebay.netcdf.bundle;

import org.jspecify.annotations.NullMarked;
