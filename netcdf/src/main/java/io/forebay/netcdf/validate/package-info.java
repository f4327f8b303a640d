// SPDX-License-Identifier: Apache-2.0

/**
 * Whether a file is what the format says: everything that is wrong with a header, with the byte at
 * which it is. Pure but for reading. Start reading at {@link
 * io.forebay.netcdf.validate.Validation}.
 */
@NullMarked
package io.forebay.netcdf.validate;

import org.jspecify.annotations.NullMarked;
