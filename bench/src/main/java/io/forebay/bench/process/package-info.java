// SPDX-License-Identifier: Apache-2.0

/**
 * Other processes of a benchmark: servers and their baselines run apart from the client, as in
 * production, so that the cost of each side can be measured. Each object belongs to one thread.
 * Start reading at {@link io.forebay.bench.process.Child}.
 */
@NullMarked
package io.forebay.bench.process;

import org.jspecify.annotations.NullMarked;
