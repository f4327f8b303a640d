// SPDX-License-Identifier: Apache-2.0

/**
 * What every benchmark has in common: how a value and its baseline are measured in turn, and the
 * one form in which results are shown. Single-threaded. Start reading at {@link
 * io.forebay.bench.Benchmark}.
 */
@NullMarked
package io.forebay.bench;

import org.jspecify.annotations.NullMarked;
