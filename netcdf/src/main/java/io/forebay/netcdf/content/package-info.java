// SPDX-License-Identifier: Apache-2.0

/**
 * The contents of whole files: elements in order, and the differences of two files. Classes are
 * used by one thread at a time. Start reading at {@link io.forebay.netcdf.content.Elements}.
 */
@NullMarked
package io.forebay.netcdf.content;

import org.jspecify.annotations.NullMarked;
