// SPDX-License-Identifier: Apache-2.0

/**
 * The benchmark of names: how many files a second several clients create, stat, touch and delete.
 * Each client has a thread and a connection of its own. Start reading at {@link
 * io.forebay.bench.metarates.MetaratesBenchmark}.
 */
@NullMarked
package io.forebay.bench.metarates;

import org.jspecify.annotations.NullMarked;
