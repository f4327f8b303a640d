// SPDX-License-Identifier: Apache-2.0

/**
 * The storage of a file: a path of the operating system, or of a Forebay instance. Each rank has
 * its own handle, used by one thread at a time. Start reading at {@link
 * io.forebay.netcdf.store.SharedFile}.
 */
@NullMarked
package io.forebay.netcdf.store;

import org.jspecify.annotations.NullMarked;
