// SPDX-License-Identifier: Apache-2.0

/**
 * What a drain costs: its planning, next to sorting everything; its rate, next to one writer; what
 * it leaves to others. One thread. Start reading at {@link io.forebay.bench.drain.DrainBenchmark}.
 */
@NullMarked
package io.forebay.bench.drain;

import org.jspecify.annotations.NullMarked;
