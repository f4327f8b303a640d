// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Scratch;
import java.nio.ByteBuffer;

/**
 * The common setup of all hops.
 *
 * @param source the written bytes, more than any message has
 * @param seed of what programs write
 */
record PathGround(
    PathOptions options,
    PathScale scale,
    Scratch scratch,
    ByteBuffer source,
    long seed,
    Progress progress) {}
