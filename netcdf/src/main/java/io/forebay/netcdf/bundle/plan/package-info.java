// SPDX-License-Identifier: Apache-2.0

/**
 * Which rank has, receives and writes which part of which plane: pure code over a partition, so
 * that all ranks come to the same plan without a message. Any thread. Start reading at {@link
 * io.forebay.netcdf.bundle.plan.GroupPlan}.
 */
@NullMarked
package io.forebay.netcdf.bundle.plan;

import org.jspecify.annotations.NullMarked;
