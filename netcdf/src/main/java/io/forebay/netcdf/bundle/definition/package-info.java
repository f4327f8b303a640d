// SPDX-License-Identifier: Apache-2.0

/**
 * What a program says about its bundles: files, grids, variables, and the block of every plane that
 * each rank has. Values without behaviour towards other ranks; any thread. Start reading at {@link
 * io.forebay.netcdf.bundle.definition.Bundle}.
 */
@NullMarked
package io.forebay.netcdf.bundle.definition;

import org.jspecify.annotations.NullMarked;
