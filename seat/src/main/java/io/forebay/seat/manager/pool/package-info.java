// SPDX-License-Identifier: Apache-2.0

/**
 * Pools at the manager: their settings, and the granules that instances have of them (P31). Pure;
 * called by the agreed state only. Start reading at {@link io.forebay.seat.manager.pool.Redealing}.
 */
@NullMarked
package io.forebay.seat.manager.pool;

import org.jspecify.annotations.NullMarked;
