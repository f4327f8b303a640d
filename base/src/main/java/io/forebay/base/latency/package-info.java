// SPDX-License-Identifier: Apache-2.0

/**
 * How long operations take, counted by powers of two. One thread adds to a counter, any thread
 * copies it. Start reading at {@link io.forebay.base.latency.LatencyHistogram}.
 */
@NullMarked
package io.forebay.base.latency;

import org.jspecify.annotations.NullMarked;
