// SPDX-License-Identifier: Apache-2.0

/**
 * Each hop on the way of a byte from a program to the backing store, alone and then together: what
 * a ring could reach at most, what it reaches, and which hop limits it. Single-threaded where it
 * does not start threads itself. Start reading at {@link io.forebay.bench.path.PathBenchmark}.
 */
@NullMarked
package io.forebay.bench.path;

import org.jspecify.annotations.NullMarked;
