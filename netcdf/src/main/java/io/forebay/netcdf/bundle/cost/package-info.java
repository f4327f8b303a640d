// SPDX-License-Identifier: Apache-2.0

/**
 * What each scheme would cost on this machine, and which one to take: equations 1 and 2 of BPAR
 * with measured parameters, corrected by the times of earlier steps. Start reading at {@link
 * io.forebay.netcdf.bundle.cost.SchemeChoice}.
 */
@NullMarked
package io.forebay.netcdf.bundle.cost;

import org.jspecify.annotations.NullMarked;
