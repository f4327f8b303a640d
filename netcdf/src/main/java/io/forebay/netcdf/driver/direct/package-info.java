// SPDX-License-Identifier: Apache-2.0

/**
 * The driver that writes to the file at once: collective requests through aggregators in two
 * phases, independent ones directly. Start reading at {@link
 * io.forebay.netcdf.driver.direct.DirectDriver}.
 */
@NullMarked
package io.forebay.netcdf.driver.direct;

import org.jspecify.annotations.NullMarked;
