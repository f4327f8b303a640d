// SPDX-License-Identifier: Apache-2.0

/**
 * The driver that writes to a log first and to the file later, and the readers of such logs:
 * recovery, and programs that read while another writes. A log has two files: one of entries, which
 * describe the writes, and one of their data. Start reading at {@link
 * io.forebay.netcdf.driver.logging.LoggingDriver}; the bytes are in {@link
 * io.forebay.netcdf.driver.logging.layout.LogHeader} and {@link
 * io.forebay.netcdf.driver.logging.layout.LogEntry}. {@code LogMatch} decides whether logs belong
 * to a file.
 */
@NullMarked
package io.forebay.netcdf.driver.logging;

import org.jspecify.annotations.NullMarked;
