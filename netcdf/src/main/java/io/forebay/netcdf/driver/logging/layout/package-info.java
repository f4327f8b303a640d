// SPDX-License-Identifier: Apache-2.0

/**
 * The bytes of a log: its header, its entries, the mark of the file that it belongs to, and the
 * blocks that they are written in. Used by the logging driver and by readers of logs. Each object
 * belongs to one thread. Start reading at {@link
 * io.forebay.netcdf.driver.logging.layout.LogHeader}.
 */
@NullMarked
package io.forebay.netcdf.driver.logging.layout;

import org.jspecify.annotations.NullMarked;
