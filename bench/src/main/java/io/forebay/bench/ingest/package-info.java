// SPDX-License-Identifier: Apache-2.0

/**
 * The benchmark of writing and reading through a ring, next to a bare socket and, where there is
 * one, a Redis server. Single-threaded, except where clients are measured side by side. Start
 * reading at {@link io.forebay.bench.ingest.IngestBenchmark}.
 */
@NullMarked
package io.forebay.bench.ingest;

import org.jspecify.annotations.NullMarked;
