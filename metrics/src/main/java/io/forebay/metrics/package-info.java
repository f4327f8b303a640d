// SPDX-License-Identifier: Apache-2.0

/**
 * Metrics of a process: their definitions, a registry of the parts that tell values, and the text
 * formats of Prometheus and OpenMetrics. Values are collected when they are asked for; nothing here
 * is called when data is written or read. Any thread. Start reading at {@link
 * io.forebay.metrics.Registry}.
 */
@NullMarked
package io.forebay.metrics;

import org.jspecify.annotations.NullMarked;
