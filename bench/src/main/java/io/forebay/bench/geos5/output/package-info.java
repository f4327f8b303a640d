// SPDX-License-Identifier: Apache-2.0

/**
 * The ways to write the bundles of a step: those of GEOS-5 itself, and those of {@link
 * io.forebay.netcdf.bundle.BundleSet}. Each object belongs to one rank. Start reading at {@link
 * io.forebay.bench.geos5.output.Way}.
 */
@NullMarked
package io.forebay.bench.geos5.output;

import org.jspecify.annotations.NullMarked;
