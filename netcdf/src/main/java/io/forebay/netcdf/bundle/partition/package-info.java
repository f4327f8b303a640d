// SPDX-License-Identifier: Apache-2.0

/**
 * Which ranks write which bundle: the three schemes of BPAR as pure code. Any thread. Start reading
 * at {@link io.forebay.netcdf.bundle.partition.Partition}.
 */
@NullMarked
package io.forebay.netcdf.bundle.partition;

import org.jspecify.annotations.NullMarked;
