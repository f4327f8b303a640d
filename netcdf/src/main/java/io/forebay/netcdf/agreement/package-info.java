// SPDX-License-Identifier: Apache-2.0

/**
 * How ranks end a collective call in the same way. The ranks' own threads call it. Start reading at
 * {@link io.forebay.netcdf.agreement.Agreement}.
 */
@NullMarked
package io.forebay.netcdf.agreement;

import org.jspecify.annotations.NullMarked;
