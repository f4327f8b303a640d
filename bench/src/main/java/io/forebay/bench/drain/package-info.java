// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of a drain: its planning, compared with sorting everything; its rate, compared with one
 * writer; and the bandwidth that is left to writers. One thread. Start reading at {@link
 * io.forebay.bench.drain.DrainBenchmark}.
 */
@NullMarked
package io.forebay.bench.drain;

import org.jspecify.annotations.NullMarked;
