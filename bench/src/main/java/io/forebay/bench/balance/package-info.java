// SPDX-License-Identifier: Apache-2.0

/**
 * The benefit of redirecting clients to seats with free memory under a skewed load. One thread.
 * Start reading at {@link io.forebay.bench.balance.BalanceBenchmark}.
 */
@NullMarked
package io.forebay.bench.balance;

import org.jspecify.annotations.NullMarked;
