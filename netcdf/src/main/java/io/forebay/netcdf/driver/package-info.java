// SPDX-License-Identifier: Apache-2.0

/**
 * Drivers transfer data between variables and storage. A driver gets checked requests, in terms of
 * variables and not of offsets, so that drivers can be stacked. It belongs to one rank; one thread
 * at a time calls it. Start reading at {@link io.forebay.netcdf.driver.Driver}.
 */
@NullMarked
package io.forebay.netcdf.driver;

import org.jspecify.annotations.NullMarked;
