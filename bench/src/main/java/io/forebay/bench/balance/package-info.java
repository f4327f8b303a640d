// SPDX-License-Identifier: Apache-2.0

/**
 * What redirecting clients to seats that have memory is worth under a skewed load. One thread.
 * Start reading at {@link io.forebay.bench.balance.BalanceBenchmark}.
 */
@NullMarked
package io.forebay.bench.balance;

import org.jspecify.annotations.NullMarked;
