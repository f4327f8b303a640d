/**
 * What a drain costs: its planning, next to sorting everything. One thread. Start reading at {@link
 * io.forebay.bench.drain.DrainBenchmark}.
 */
@NullMarked
package io.forebay.bench.drain;

import org.jspecify.annotations.NullMarked;
