// SPDX-License-Identifier: Apache-2.0

/**
 * The file of one bundle in one step: created by the root of a group under a temporary name,
 * written by the group's aggregators, renamed when all of the step is written. Start reading at
 * {@link io.forebay.netcdf.bundle.file.BundleFile}.
 */
@NullMarked
package io.forebay.netcdf.bundle.file;

import org.jspecify.annotations.NullMarked;
