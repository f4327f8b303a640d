// SPDX-License-Identifier: Apache-2.0

/**
 * What every process tells, and where it tells it: its memory, its processor time, its files. Any
 * thread. Start reading at {@link io.forebay.metrics.process.MetricsDoor}.
 */
@NullMarked
package io.forebay.metrics.process;

import org.jspecify.annotations.NullMarked;
