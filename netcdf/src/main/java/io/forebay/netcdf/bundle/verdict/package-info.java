// SPDX-License-Identifier: Apache-2.0

/**
 * How a step ended, the same on all ranks, by messages along the groups and without a collective
 * call. The ranks' own threads call it. Start reading at {@link
 * io.forebay.netcdf.bundle.verdict.Verdict}.
 */
@NullMarked
package io.forebay.netcdf.bundle.verdict;

import org.jspecify.annotations.NullMarked;
