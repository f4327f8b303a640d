// SPDX-License-Identifier: Apache-2.0

/**
 * The benchmark of a seat's local store. All of it runs on the calling thread, which owns the
 * stores it measures. Start reading at {@link io.forebay.bench.store.StoreBenchmark}.
 */
@NullMarked
package io.forebay.bench.store;

import org.jspecify.annotations.NullMarked;
