// SPDX-License-Identifier: Apache-2.0

/**
 * What is in files, for those who look at whole ones: elements one after the other, and how two
 * files differ. Classes are used by one thread at a time. Start reading at {@link
 * io.forebay.netcdf.content.Elements}.
 */
@NullMarked
package io.forebay.netcdf.content;

import org.jspecify.annotations.NullMarked;
