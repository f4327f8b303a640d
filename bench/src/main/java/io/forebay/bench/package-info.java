// SPDX-License-Identifier: Apache-2.0

/**
 * The common part of all benchmarks: measuring a value and its baseline in turn, and the form of
 * results. Single-threaded. Start reading at {@link io.forebay.bench.Benchmark}.
 */
@NullMarked
package io.forebay.bench;

import org.jspecify.annotations.NullMarked;
