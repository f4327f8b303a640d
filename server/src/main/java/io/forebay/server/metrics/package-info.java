// SPDX-License-Identifier: Apache-2.0

/**
 * What servers and managers tell monitoring systems, and the doors where they tell it. Figures are
 * copied on the loops' threads and shown on others. Start reading at {@link
 * io.forebay.server.metrics.LoopSource}; {@link io.forebay.server.metrics.ServerMetrics} lists all
 * metrics of both.
 */
@NullMarked
package io.forebay.server.metrics;

import org.jspecify.annotations.NullMarked;
