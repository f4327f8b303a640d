// SPDX-License-Identifier: Apache-2.0

/**
 * What the seats of pools can keep, and what of it is promised to instances, as a map says. Values
 * that any thread may use: the manager deals granules with them, commands show them, simulations
 * check them. Start reading at {@link io.forebay.ring.pool.PoolRoom}.
 */
@NullMarked
package io.forebay.ring.pool;

import org.jspecify.annotations.NullMarked;
