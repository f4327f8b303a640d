// SPDX-License-Identifier: Apache-2.0

/**
 * Commands for pools, and for the capacity that instances have of them. Used by one thread. Start
 * reading at {@link io.forebay.cli.pool.PoolsCommand}.
 */
@NullMarked
package io.forebay.cli.pool;

import org.jspecify.annotations.NullMarked;
