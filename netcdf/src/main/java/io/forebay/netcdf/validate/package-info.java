// SPDX-License-Identifier: Apache-2.0

/**
 * Checks a file against the format: all defects of a header, with their offsets. Pure but for
 * reading. Start reading at {@link io.forebay.netcdf.validate.Validation}.
 */
@NullMarked
package io.forebay.netcdf.validate;

import org.jspecify.annotations.NullMarked;
